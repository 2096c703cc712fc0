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

/// A call with one launch, of which half of the blocks were traced.
judge::Observation observed(const report::MemoryCounts& counts) {
  judge::Observation observation;
  auto& launch = observation.report.launches.emplace_back();
  launch.blocks = 4;
  launch.observed_blocks = 2;
  launch.totals = counts;
  return observation;
}

std::uint64_t conflicts_of(const report::AccessCounts& loads, const report::AccessCounts& stores) {
  report::MemoryCounts counts;
  counts.shared_loads = loads;
  counts.shared_stores = stores;
  return judge::certain_conflicts(judge::cost_of(observed(counts)));
}

/// Requests of this many bytes in all, which touch this many sectors.
report::AccessCounts moved(std::uint64_t bytes, std::uint64_t sectors) {
  report::AccessCounts counts;
  counts.bytes_requested = bytes;
  counts.sectors = sectors;
  counts.wasted_bytes = 32 * sectors - bytes;
  return counts;
}

}  // namespace

TEST_CASE("conflicts that merged instructions do not have are nobody's fault") {
  const auto stores = requests(100, 100, 100, 100, 100, 100);
  CHECK(conflicts_of(requests(100, 400, 100, 25, 100, 100), stores) == 0);
  CHECK(conflicts_of(requests(100, 400, 100, 100, 400, 100), stores) == 600);
  CHECK(conflicts_of(requests(100, 400, 100, 25, 200, 100), stores) == 200);
  // Merged loads can conflict where the single ones do not.
  CHECK(conflicts_of(requests(100, 100, 100, 25, 200, 100), stores) == 0);
}

TEST_CASE("conflicts and wavefronts of atomic operations count like others") {
  report::MemoryCounts counts;
  counts.shared_atomics = requests(100, 400, 100, 0, 0, 0);
  const judge::Cost cost = judge::cost_of(observed(counts));
  CHECK(judge::certain_conflicts(cost) == 600);
  CHECK(judge::shared_wavefronts(cost) == 800);
}

TEST_CASE("whatever moves bytes in vain adds to what is wasted, and nothing takes from it") {
  report::MemoryCounts counts;
  SECTION("loads") { counts.global_loads = moved(64, 16); }
  SECTION("stores") { counts.global_stores = moved(64, 16); }
  SECTION("atomic operations") { counts.global_atomics = moved(64, 16); }
  judge::Observation observation = observed(counts);
  CHECK(judge::wasted_bytes(judge::cost_of(observation)) == 2 * (16 * 32 - 64));
  observation.report.engine_loads = moved(4, 1);
  observation.report.engine_stores = moved(40, 2);
  CHECK(judge::wasted_bytes(judge::cost_of(observation)) == 2 * (16 * 32 - 64) + 28 + 24);
  observation.report.launches.emplace_back().totals.global_loads = moved(1 << 20, 1 << 15);
  CHECK(judge::wasted_bytes(judge::cost_of(observation)) == 2 * (16 * 32 - 64) + 28 + 24);
}

TEST_CASE("what atomic operations, constant memory and copies bring is loaded, too") {
  report::MemoryCounts counts;
  counts.global_loads = moved(1000, 32);
  counts.global_copies = moved(400, 13);
  counts.global_atomics = moved(90, 3);
  counts.atomic_reads = moved(30, 1);
  counts.constant_loads = moved(900, 125);
  counts.constant_words = moved(500, 0);
  judge::Observation observation = observed(counts);
  observation.report.engine_loads = moved(7, 1);
  CHECK(judge::loaded_bytes(judge::cost_of(observation)) == 2 * (1000 + 30) + 7);
  CHECK(judge::bytes_loaded_by_threads(judge::cost_of(observation)) == 2 * (600 + 30));
  observation.report.constants_hold_copies = true;
  CHECK(judge::loaded_bytes(judge::cost_of(observation)) == 2 * (1000 + 30 + 500) + 7);
  CHECK(judge::bytes_loaded_by_threads(judge::cost_of(observation)) == 2 * (600 + 30 + 500));
  CHECK(judge::wasted_bytes(judge::cost_of(observation)) ==
        2 * (24 + 6 + 125 * 32 - 900) + (32 - 7));
}

TEST_CASE("what is stored counts by whatever stores it") {
  report::MemoryCounts counts;
  counts.global_stores = moved(1000, 32);
  counts.global_atomics = moved(90, 3);
  counts.shared_stores = moved(500, 0);
  judge::Observation observation = observed(counts);
  observation.report.engine_stores = moved(7, 1);
  CHECK(judge::stored_bytes(judge::cost_of(observation)) == 2 * (1000 + 90) + 7);
  observation.problem.output_bytes = 1000;
  CHECK(judge::figure_of(observation, stores_per_element) == 2.187);
}

TEST_CASE("a few blocks are to blame only if all blocks do too much") {
  const auto loading = [](std::uint64_t bytes) {
    report::MemoryCounts counts;
    counts.global_loads = moved(bytes, bytes / 32);
    judge::Observation observation = observed(counts);
    observation.problem.input_bytes = 1024;
    return observation;
  };
  int asked = 0, looked = 0;
  const auto reference = [&](const TrafficMetric&) {
    ++asked;
    return std::optional(1.0);
  };
  const auto whole = [&] {
    ++looked;
    return std::optional(Traffic(loading(512), loading(1024), reference));
  };
  SECTION("they do little") {
    Traffic(loading(512), reference, whole).check_at_most(1.1, loads_per_element, 1.1);
    CHECK(asked == 0);
    CHECK(looked == 0);
  }
  SECTION("they do as much as the reference solution") {
    Traffic(loading(512), reference, whole).check_at_most(1.1, loads_per_element);
    CHECK(asked == 1);
    CHECK(looked == 0);
  }
  SECTION("they do too much, and all together do not") {
    Traffic(loading(1024), reference, whole).check_at_most(1.1, loads_per_element, 1.1);
    CHECK(looked == 1);
  }
  SECTION("they do little, and another one far more") {
    judge::Observation some = loading(512);
    some.report.launches.back().has_heavier_blocks = true;
    Traffic(some, reference, whole).check_at_most(1.1, loads_per_element, 1.1);
    CHECK(looked == 1);
  }
  SECTION("they do too much, and nobody can look at all") {
    const auto nothing = [] { return std::optional<Traffic>(); };
    Traffic(loading(1024), reference, nothing).check_at_most(1.1, loads_per_element, 1.1);
    CHECK(asked == 1);
  }
}
