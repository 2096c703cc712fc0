#include "judge/traffic/traffic.h"

#include "judge/catch.h"

using namespace tilelab;

namespace {

report::AccessCounts requests(unsigned count, unsigned wavefronts, unsigned ideal,
                              unsigned merged_count, unsigned merged_wavefronts,
                              unsigned merged_ideal) {
  report::AccessCounts counts;
  counts.requests = count;
  counts.wavefronts = wavefronts;
  counts.ideal_wavefronts = ideal;
  counts.merged_requests = merged_count;
  counts.merged_wavefronts = merged_wavefronts;
  counts.merged_ideal_wavefronts = merged_ideal;
  return counts;
}

double conflicts_of(const report::AccessCounts& loads, const report::AccessCounts& stores) {
  judge::Observation observation;
  auto& launch = observation.report.launches.emplace_back();
  launch.blocks = 4;
  launch.observed_blocks = 2;  // the figure is the same for all blocks
  launch.totals.shared_loads = loads;
  launch.totals.shared_stores = stores;
  return bank_conflicts.of(observation);
}

}  // namespace

TEST_CASE("conflicts that merged instructions do not have are nobody's fault") {
  const auto stores = requests(100, 100, 100, 100, 100, 100);
  CHECK(conflicts_of(requests(100, 400, 100, 25, 100, 100), stores) == 0.0);
  CHECK(conflicts_of(requests(100, 400, 100, 100, 400, 100), stores) == 1.5);
  CHECK(conflicts_of(requests(100, 400, 100, 25, 200, 100), stores) == 0.5);
  // Merged loads can conflict where the single ones do not.
  CHECK(conflicts_of(requests(100, 100, 100, 25, 200, 100), stores) == 0.0);
}
