#include "comparison.h"

#include <cuda_runtime.h>

#include "emulator/observer/observer.h"
#include "exceptions.h"
#include "metrics.h"
#include "report/report.h"

namespace tilelab::calibration {
namespace {

constexpr double band = 0.02;

}  // namespace

bool Comparison::is_close() const {
  const auto on_gpu = static_cast<double>(measured);
  const double allowed = band * on_gpu;
  return static_cast<double>(least()) - allowed <= on_gpu &&
         on_gpu <= static_cast<double>(most()) + allowed;
}

Outcome compare(const std::vector<Case>& cases, const Measured& measured) {
  Outcome outcome;
  for (const Case& each : cases) {
    if (!measured.has(each.name)) {
      outcome.not_measured.push_back(each.name);
      continue;
    }
    emulator::start_observing({Detail::counts});
    const bool is_right = each.run();
    const report::Report report = emulator::take_report();
    if (cudaDeviceReset() != cudaSuccess || !is_right) outcome.wrong.push_back(each.name);
    report::MemoryCounts counts;
    for (const auto& launch : report.launches) counts += launch.totals;
    for (const Metric& metric : metrics()) {
      const std::uint64_t on_gpu = metric.measured(measured, each.name);
      const std::uint64_t here = metric.emulated(counts);
      const std::uint64_t merged = metric.merged ? metric.merged(counts) : here;
      if (on_gpu == 0 && here == 0) continue;
      outcome.comparisons.push_back(
          {each.name, metric.name, on_gpu, here, merged, reason_to_differ(each, metric.name)});
    }
  }
  return outcome;
}

}  // namespace tilelab::calibration
