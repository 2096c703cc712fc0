#include "judge/catch_session.h"
#include "judge/options.h"

int main(int argc, char** argv) {
  tilelab::judge::options().confine = CONFINE;
  return tilelab::run_catch(argc, argv);
}
