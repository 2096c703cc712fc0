#include <cstdlib>

#include "judge/catch_session.h"
#include "judge/options.h"

int main(int argc, char** argv) {
  tilelab::judge::options().confine = CONFINE;
  // Emulated processors have no filters of system calls. Tests of filters do not run there.
  tilelab::judge::options().unfiltered = std::system(CONFINE " --probe 2> /dev/null") != 0;
  tilelab::judge::options().may_read_back = true;  // many probes have no kernel
  return tilelab::run_catch(argc, argv);
}
