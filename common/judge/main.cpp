// The judge: a Catch2 program that holds no student code and never touches CUDA.

#include <cstdio>
#include <exception>
#include <vector>

#include "judge/catch_session.h"
#include "judge/events.h"
#include "judge/options.h"
#include "judge/versions.h"
#include "judge/worker/workers.h"
#include "judge/write_event.h"

int main(int argc, char** argv) {
  using namespace tilelab::judge;
  std::vector<char*> for_catch;
  try {
    options() = parse_options(argc, argv, for_catch);
    if (!options().events.empty()) open_events(options().events);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
  int result = 0;
  const auto run_tests = [&] {
    return tilelab::run_catch(static_cast<int>(for_catch.size()), for_catch.data());
  };
  if (options().versions > 0) {
    try_versions(run_tests);
  } else {
    result = run_tests();
  }
  stop_workers();
  write_event(tilelab::schema::End{});
  return result;
}
