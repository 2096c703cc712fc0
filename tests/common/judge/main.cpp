#include "judge/catch_session.h"
#include "judge/options.h"

int main(int argc, char** argv) {
  tilelab::judge::options().confine = CONFINE;
  tilelab::judge::options().may_read_back = true;  // many probes have no kernel
  return tilelab::run_catch(argc, argv);
}
