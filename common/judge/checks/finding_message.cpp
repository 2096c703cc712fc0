#include "judge/checks/finding_message.h"

#include "judge/checks/source_text.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

using report::Accessor;
using report::Finding;
using report::FindingKind;

constexpr const char* barrier = "__syncthreads";

std::string nowhere(const report::SourcePlace&) { return ""; }

/// The places of a finding, those outside of the submission with the line 0.
std::vector<Spot> spots_of(const Finding& finding) {
  const auto spot = [](const Accessor& accessor, std::string word, std::string says) {
    return Spot{submission_line(accessor.place), std::move(word), std::move(says)};
  };
  const auto access = [&](const Accessor& accessor) {
    return spot(accessor, finding.memory.name,
                report::text_of(accessor, report::text_of(finding.memory)));
  };
  const Accessor &first = finding.first, &second = finding.second;
  switch (finding.kind) {
    case FindingKind::divergent_barrier:
      return {spot(first, barrier, report::thread_of(first) + " waits here"),
              spot(second, barrier, report::thread_of(second) + " waits here")};
    case FindingKind::passed_barrier:
      return {spot(first, "", report::thread_of(first) + " goes on here"),
              spot(second, barrier, "other threads of its warp wait here")};
    case FindingKind::skipped_barrier:
      return {spot(first, barrier, "not every thread gets here")};
    case FindingKind::failed_launch:
      return {spot(first, "<<<", "this launch")};
    case FindingKind::index_out_of_bounds:
      return {spot(first, "", report::thread_of(first) + " uses this index")};
    case FindingKind::undefined_shuffle:
      return {spot(first, "__shfl", report::thread_of(first) + " shuffles here")};
    default: {
      std::vector<Spot> spots;
      if (finding.has_first) spots.push_back(access(first));
      if (finding.has_second) spots.push_back(access(second));
      return spots;
    }
  }
}

/// The sentence for a finding whose lines say which threads are meant.
std::string summary_of(const Finding& finding) {
  const std::string memory = report::text_of(finding.memory);
  switch (finding.kind) {
    case FindingKind::data_race:
      if (!finding.sentence.empty())
        return "Data race at " + memory + ": " + finding.sentence + '.';
      return "Data race: two threads use " + memory + ", at least one of them writes it, and " +
             (report::are_of_one_block(finding) ? "no barrier separates them."
                                                : "nothing orders the blocks of a launch.");
    case FindingKind::uninitialized_read:
      return std::string("Uninitialized read: ") +
             // It is filled by a copy, a slot of a tile by a thread.
             (finding.memory.is_own
                  ? "a thread reads memory from cudaMalloc() that nothing was written to. Copy or "
                    "compute the data there first."
                  : "a thread reads " + memory + ", where nothing was written before.");
    case FindingKind::absent_block:
      return "Absent block: a thread accesses " + memory + ", but " + finding.sentence + '.';
    default: {
      Finding once = finding;
      once.count = 1;
      return report::text_of(once, nowhere);
    }
  }
}

}  // namespace

const char* pattern_of(const Finding& finding) {
  const bool is_shared = finding.memory.space == report::MemorySpace::shared;
  switch (finding.kind) {
    case FindingKind::data_race:
      return "data_race";
    case FindingKind::uninitialized_read:
      return finding.memory.is_own ? "uninitialized_array" : "uninitialized_read";
    case FindingKind::index_out_of_bounds:
      return "out_of_bounds";
    case FindingKind::out_of_bounds:
      return is_shared ? "shared_out_of_bounds" : "out_of_bounds";
    case FindingKind::use_after_free:
      return "use_after_free";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::host_pointer:
      return "host_pointer";
    case FindingKind::divergent_barrier:
    case FindingKind::passed_barrier:
    case FindingKind::skipped_barrier:
      return "divergent_barrier";
    case FindingKind::absent_block:
      return "absent_block";
    case FindingKind::failed_launch:
      return "launch_failed";
    case FindingKind::leak:
      return "leak";
    default:
      return "fault";
  }
}

Message message_of(const Finding& finding) {
  Message message(report::text_of(finding, show), pattern_of(finding));
  message.summary = summary_of(finding);
  for (Spot& spot : spots_of(finding)) {
    if (spot.line > 0) message.places.push_back(std::move(spot));
  }
  return message;
}

}  // namespace tilelab::judge
