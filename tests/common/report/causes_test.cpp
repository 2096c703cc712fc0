#include "report/causes/causes.h"

#include <vector>

#include "judge/catch.h"

using namespace tilelab::report;

namespace {

/// A finding whose first side is a read, and whose second one is a write.
Finding finding_of(FindingKind kind, unsigned line, unsigned other_line = 0) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = "kernel";
  finding.memory.space = MemorySpace::shared;
  finding.memory.name = "tile";
  finding.has_first = true;
  finding.first.place = {0, "a.cu", line};
  finding.has_second = other_line > 0;
  if (finding.has_second) {
    finding.second.place = {0, "a.cu", other_line};
    finding.second.kind = AccessKind::store;
  }
  return finding;
}

std::vector<FindingKind> kinds_of_causes(std::vector<Finding> findings) {
  keep_causes(findings);
  std::vector<FindingKind> kinds;
  for (const Finding& one : findings) kinds.push_back(one.kind);
  return kinds;
}

}  // namespace

TEST_CASE("a read that comes too early is told once") {
  const Finding race = finding_of(FindingKind::data_race, 9, 7);
  Finding read = finding_of(FindingKind::uninitialized_read, 9);
  CHECK(kinds_of_causes({read, race}) == std::vector{FindingKind::data_race});
  read.memory.name = "other";
  CHECK(kinds_of_causes({read, race}).size() == 2);
  read.memory.name = "tile";
  read.first.place.line = 8;
  CHECK(kinds_of_causes({read, race}).size() == 2);
}

TEST_CASE("a barrier that some threads miss is told once") {
  const Finding divergent = finding_of(FindingKind::divergent_barrier, 12, 10);
  CHECK(kinds_of_causes({finding_of(FindingKind::skipped_barrier, 10), divergent}) ==
        std::vector{FindingKind::divergent_barrier});
  CHECK(kinds_of_causes({finding_of(FindingKind::skipped_barrier, 11), divergent}).size() == 2);
  CHECK(kinds_of_causes({finding_of(FindingKind::skipped_barrier, 10),
                         finding_of(FindingKind::passed_barrier, 12, 10)}) ==
        std::vector{FindingKind::passed_barrier});
}

TEST_CASE("what a kernel that did not run leaves unwritten is no mistake of its own") {
  const Finding launch = finding_of(FindingKind::failed_launch, 20);
  CHECK(kinds_of_causes({finding_of(FindingKind::unwritten_copy, 22), launch}) ==
        std::vector{FindingKind::failed_launch});
  CHECK(kinds_of_causes({finding_of(FindingKind::unwritten_copy, 22)}).size() == 1);
}

TEST_CASE("what ends a kernel, and a call that fails, come before what was never written") {
  CHECK(kinds_of_causes({finding_of(FindingKind::uninitialized_read, 3),
                         finding_of(FindingKind::unchecked_error, 20),
                         finding_of(FindingKind::fault, 5)}) ==
        std::vector{FindingKind::fault, FindingKind::unchecked_error,
                    FindingKind::uninitialized_read});
}

TEST_CASE("a race within a warp is one of the block if other warps lack the barrier, too") {
  Finding in_warp = finding_of(FindingKind::data_race, 23, 19);
  in_warp.in_warp = true;
  const auto is_of_warp = [](std::vector<Finding> findings) {
    keep_causes(findings);
    return findings.front().in_warp;
  };
  CHECK(is_of_warp({in_warp}));
  CHECK_FALSE(is_of_warp({in_warp, finding_of(FindingKind::data_race, 23, 20)}));
  CHECK(is_of_warp({in_warp, finding_of(FindingKind::data_race, 33, 20)}));
  Finding elsewhere = finding_of(FindingKind::data_race, 23, 20);
  elsewhere.kernel = "other";
  CHECK(is_of_warp({in_warp, elsewhere}));
}
