// Runs the cases for a profiler: `driver` prints their names, `driver run [name...]` runs all or
// the named ones. Before each case comes a launch of `next_case` whose grid is the case's position
// in the list, counted from 1: a profiler's table of launches then tells which case a launch
// belongs to.

#include <algorithm>
#include <cstdio>
#include <string>

#include "cases.h"
#include "inputs.h"

namespace {

__global__ void next_case() {}

}  // namespace

int main(int argc, char** argv) {
  const auto& cases = tilelab::calibration::cases();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool runs = !arguments.empty() && arguments[0] == "run";
  int wrong = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [name, run, differs, run_at] = cases[i];
    if (!runs) {
      std::printf("%s\n", name.c_str());
      continue;
    }
    if (arguments.size() > 1 &&
        std::find(arguments.begin() + 1, arguments.end(), name) == arguments.end()) {
      continue;
    }
    next_case<<<static_cast<unsigned>(i + 1), 1>>>();
    if (run()) continue;
    std::fprintf(stderr, "%s: wrong output (%s)\n", name.c_str(),
                 cudaGetErrorString(cudaGetLastError()));
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}
