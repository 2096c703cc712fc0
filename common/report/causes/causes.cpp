#include "report/causes/causes.h"

#include <algorithm>

#include "report/texts.h"

namespace tilelab::report {
namespace {

/// Whether they are, as far as names tell: a barrier's file is named as the compiler got it.
bool are_in_one_line(const SourcePlace& one, const SourcePlace& other) {
  return !one.file.empty() && file_and_line(one) == file_and_line(other);
}

/// Whether a statement is one of the two, or next to it.
bool is_near(const SourcePlace& one, const SourcePlace& other) {
  constexpr unsigned lines = 2;
  return !one.file.empty() && one.file == other.file && one.line <= other.line + lines &&
         other.line <= one.line + lines;
}

/// The side that reads; the second one if both write.
const Accessor& reader_of(const Finding& race) {
  return race.first.kind == AccessKind::load ? race.first : race.second;
}

bool is_explained_by(const Finding& finding, const Finding& cause) {
  switch (finding.kind) {
    case FindingKind::uninitialized_read:  // the thread that writes it comes later
      return cause.kind == FindingKind::data_race && cause.memory.name == finding.memory.name &&
             cause.memory.space == finding.memory.space && cause.kernel == finding.kernel &&
             are_in_one_line(reader_of(cause).place, finding.first.place);
    case FindingKind::skipped_barrier:
      return (cause.kind == FindingKind::divergent_barrier ||
              cause.kind == FindingKind::passed_barrier) &&
             (are_in_one_line(cause.first.place, finding.first.place) ||
              are_in_one_line(cause.second.place, finding.first.place));
    case FindingKind::unwritten_copy:  // by the kernel that did not run
      return cause.kind == FindingKind::failed_launch;
    default:
      return false;
  }
}

/// Whether the race of other warps is one of the same two statements, or of those next to them.
bool lacks_the_same_barrier(const Finding& in_warp, const Finding& of_block) {
  return of_block.kind == FindingKind::data_race && !of_block.in_warp &&
         of_block.memory.space == MemorySpace::shared && of_block.kernel == in_warp.kernel &&
         is_near(of_block.first.place, in_warp.first.place) &&
         is_near(of_block.second.place, in_warp.second.place);
}

/// Smaller for what explains others more often.
int rank_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::failed_launch:
    case FindingKind::fault:
      return 0;
    case FindingKind::data_race:
      return 1;
    case FindingKind::unchecked_error:
      return 2;
    case FindingKind::leak:
      return 4;
    default:
      return 3;
  }
}

}  // namespace

void keep_causes(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& one, const Finding& other) {
    return rank_of(one.kind) < rank_of(other.kind);
  });
  for (Finding& race : findings) {
    const auto lacks_it = [&](const Finding& other) { return lacks_the_same_barrier(race, other); };
    const bool is_of_warp = race.kind == FindingKind::data_race && race.in_warp &&
                            race.memory.space == MemorySpace::shared;
    if (is_of_warp && std::ranges::any_of(findings, lacks_it)) race.in_warp = false;
  }
  const std::vector<Finding> all = findings;
  std::erase_if(findings, [&](const Finding& finding) {
    return std::ranges::any_of(
        all, [&](const Finding& cause) { return is_explained_by(finding, cause); });
  });
}

}  // namespace tilelab::report
