#include "report/encode.h"

#include <algorithm>
#include <stdexcept>

#include "judge/catch.h"
#include "report/decode.h"

using namespace tilelab::report;

namespace {

Report sample() {
  Report report;
  report.live_allocations = 2;
  LaunchReport launch;
  launch.kernel = "diff_kernel";
  launch.function = 0x5000;
  launch.grid = {3, 2, 1};
  launch.block = {256, 1, 1};
  launch.blocks = 6;
  launch.observed_blocks = 6;
  launch.totals.global_loads.bytes_requested = 1234;
  LineCounts line;
  line.place.code = 0x4711;
  line.counts.shared_stores.wavefronts = 5;
  launch.lines = {line, line};
  Finding finding;
  finding.kind = FindingKind::data_race;
  finding.memory.name = "tile";
  finding.memory.index = -3;
  finding.has_first = true;
  finding.first.thread = {7, 0, 0};
  finding.count = 99;
  launch.findings = {finding};
  TraceStep step;
  step.lanes = {LaneAccess{3, 0, 12, true, {42, 0}}};
  launch.trace = {4, 2, true, {{MemorySpace::shared, "tile", 0, 16}}, {{0, "diff.cu", 12}}, {step}};
  report.launches = {launch};
  return report;
}

}  // namespace

TEST_CASE("a report crosses the boundary whole") {
  const Report copy = decode(encode(sample()));
  REQUIRE(copy.launches.size() == 1);
  const LaunchReport& launch = copy.launches[0];
  CHECK(copy.live_allocations == 2);
  CHECK(launch.kernel == "diff_kernel");
  CHECK(launch.grid.y == 2);
  CHECK(launch.totals == sample().launches[0].totals);
  REQUIRE(launch.lines.size() == 2);
  CHECK(launch.lines[1].place.code == 0x4711);
  REQUIRE(launch.findings.size() == 1);
  CHECK(launch.findings[0].memory.index == -3);
  CHECK(launch.findings[0].first.thread.x == 7);
  CHECK(launch.findings[0].count == 99);
  CHECK(launch.trace.blocks_every == 4);
  CHECK(launch.trace.warps_every == 2);
  CHECK(launch.trace.ends_early);
  CHECK(launch.trace.arrays.at(0).name == "tile");
  CHECK(launch.trace.places.at(0).line == 12);
  CHECK(launch.trace.steps.at(0).lanes.at(0).value[0] == 42);
}

TEST_CASE("a report that is cut off anywhere is refused") {
  const std::vector<std::byte> bytes = encode(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(decode(std::span(bytes).first(size)), std::runtime_error);
  }
}

TEST_CASE("a report with more bytes after it is refused") {
  std::vector<std::byte> bytes = encode(sample());
  bytes.push_back(std::byte{0});
  CHECK_THROWS_AS(decode(bytes), std::runtime_error);
}

TEST_CASE("a report that claims to be huge is refused, and gets no memory for it") {
  std::vector<std::byte> bytes = encode(sample());
  std::fill_n(bytes.begin(), 8, std::byte{0x7f});  // the count of launches
  CHECK_THROWS_AS(decode(bytes), std::runtime_error);
}
