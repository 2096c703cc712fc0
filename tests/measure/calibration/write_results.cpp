// Prints docs/results/calibration_h200.md: how well the emulator's counts agree with a GPU's. Both
// compilers must agree with it, so either may write it:
//   ./tilelab measure calibration/compare

#include <cstdio>
#include <set>

#include "comparison.h"
#include "metrics.h"

using namespace tilelab::calibration;

int main() {
  const Measured measured(MEASURED_FILE);
  const Outcome outcome = compare(cases(), measured);
  const auto& all = outcome.comparisons;

  std::set<std::string> names;
  for (const Comparison& each : all) names.insert(each.case_name);
  std::printf("# The emulator's counts against an H200's\n\n");
  std::printf(
      "Written by `./tilelab measure calibration/compare`; the test `calibration_test` holds the "
      "emulator to it. %zu small kernels, whose accesses every compiler must issue, ran under "
      "Nsight Compute (`./tilelab measure calibration`) and in a checked build.\n\n",
      names.size());
  for (const std::string& line : measured.provenance()) std::printf("- %s\n", line.c_str());

  std::printf("\n| metric | kernels | equal | within 2 %% | exceptions |\n");
  std::printf("| --- | ---: | ---: | ---: | ---: |\n");
  for (const Metric& metric : metrics()) {
    std::size_t kernels = 0, equal = 0, close = 0, exceptions = 0;
    for (const Comparison& each : all) {
      if (each.metric != metric.name) continue;
      ++kernels;
      if (each.is_exact()) ++equal;
      if (each.is_close()) ++close;
      if (!each.is_close() && !each.differs.empty()) ++exceptions;
    }
    std::printf("| %s | %zu | %zu | %zu | %zu |\n", metric.name.c_str(), kernels, equal, close,
                exceptions);
  }

  std::printf(
      "\nA kernel is counted where one of both sides is not 0. Where nvcc may merge accesses to "
      "neighboring words of shared memory, any count between all and none of them merged is equal. "
      "The exceptions, by name:\n");
  std::printf("\n| kernel | metric | H200 | emulator | why |\n");
  std::printf("| --- | --- | ---: | ---: | --- |\n");
  for (const Comparison& each : all) {
    if (each.is_close()) continue;
    std::printf("| `%s` | %s | %llu | %llu | %s |\n", each.case_name.c_str(), each.metric.c_str(),
                static_cast<unsigned long long>(each.measured),
                static_cast<unsigned long long>(each.emulated), each.differs.c_str());
  }
  return outcome.wrong.empty() ? 0 : 1;
}
