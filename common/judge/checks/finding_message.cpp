#include "judge/checks/finding_message.h"

#include <algorithm>
#include <string>
#include <utility>

#include "judge/source_text.h"
#include "report/declarations/names.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

void add_place(Message& message, const report::Accessor& accessor, report::LineNote note) {
  const unsigned line = submission_line(accessor.place);
  if (line > 0) message.places.push_back({line, std::move(note.word), std::move(note.says)});
}

bool is_of_two_writes(const report::Finding& finding) {
  const bool is_read = finding.first.kind == report::AccessKind::load ||
                       finding.second.kind == report::AccessKind::load;
  // Only races with asynchronous copies have a sentence. Of other stores, those of one line: what
  // is wrong is rather their index.
  const bool is_of_one_line = finding.memory.space == report::MemorySpace::shared &&
                              submission_line(finding.first.place) > 0 &&
                              finding.first.place.line == finding.second.place.line;
  return !is_read && (!finding.sentence.empty() || is_of_one_line);
}

/// What is special about a finding, so that a hint about tiles and barriers does not fit.
std::string variant_of(const report::Finding& finding) {
  const report::MemoryPlace& memory = finding.memory;
  const bool is_shared = memory.space == report::MemorySpace::shared;
  const char* const global = memory.space == report::MemorySpace::global ? "global" : "";
  switch (finding.kind) {
    case report::FindingKind::data_race:
      return is_of_two_writes(finding) ? "two_writes" : global;
    case report::FindingKind::uninitialized_read:
      return global;
    case report::FindingKind::out_of_bounds:
      if (is_shared && (memory.name.empty() || memory.is_dynamic)) return "dynamic";
      return is_shared && report::is_of_larger_block(finding) ? "large_block" : "";
    default:
      return "";
  }
}

}  // namespace

const char* pattern_of(const report::Finding& finding) {
  const report::KindOfFinding& row = report::row_of(finding.kind);
  const report::SpecialPlace& special = row.special;
  return special.pattern != nullptr && special.holds(finding.memory) ? special.pattern
                                                                     : row.pattern;
}

Message message_of(report::Finding finding) {
  report::name_as_declared(finding.memory, submission_text(), submission_line(finding.first.place));
  Message message(report::text_of(finding, show), pattern_of(finding));
  message.variant = variant_of(finding);
  message.summary = report::summary_of(finding);
  if (finding.has_first) add_place(message, finding.first, report::first_note(finding));
  if (finding.has_second) add_place(message, finding.second, report::second_note(finding));
  return message;
}

void add_threads_that_left(Message& message, const report::Finding& finding,
                           const std::vector<report::Finding>& all) {
  const bool is_of_tile = finding.kind == report::FindingKind::uninitialized_read &&
                          finding.memory.space == report::MemorySpace::shared;
  const auto left = std::find_if(all.begin(), all.end(), [&](const report::Finding& other) {
    return other.kind == report::FindingKind::skipped_barrier &&
           other.first.block == finding.first.block;
  });
  if (!is_of_tile || left == all.end()) return;
  const std::string says = " " + std::to_string(left->memory.index) + " of the block's " +
                           std::to_string(left->memory.bytes) + " threads end before the barrier.";
  message.sentence += says;
  message.summary += says;
  message.pattern = pattern_of(*left);
  add_place(message, left->first, report::first_note(*left));
}

}  // namespace tilelab::judge
