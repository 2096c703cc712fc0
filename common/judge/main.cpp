// The judge: a Catch2 program that holds no student code and never touches CUDA.

#include <cstdio>
#include <stdexcept>
#include <vector>

#include "judge/calls/submission.h"
#include "judge/catch_session.h"
#include "judge/options.h"

int main(int argc, char** argv) {
  std::vector<char*> for_catch;
  try {
    tilelab::judge::options() = tilelab::judge::parse_options(argc, argv, for_catch);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
  const int result = tilelab::run_catch(static_cast<int>(for_catch.size()), for_catch.data());
  tilelab::judge::stop_workers();
  return result;
}
