#include "judge/checks/finding_message.h"

#include <utility>

#include "judge/checks/source_text.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

void add_place(Message& message, const report::Accessor& accessor, report::LineNote note) {
  const unsigned line = submission_line(accessor.place);
  if (line > 0) message.places.push_back({line, std::move(note.word), std::move(note.says)});
}

}  // namespace

const char* pattern_of(const report::Finding& finding) {
  const report::KindOfFinding& row = report::row_of(finding.kind);
  const report::SpecialPlace& special = row.special;
  return special.pattern != nullptr && special.holds(finding.memory) ? special.pattern
                                                                     : row.pattern;
}

Message message_of(const report::Finding& finding) {
  Message message(report::text_of(finding, show), pattern_of(finding));
  message.summary = report::summary_of(finding);
  if (finding.has_first) add_place(message, finding.first, report::first_note(finding));
  if (finding.has_second) add_place(message, finding.second, report::second_note(finding));
  return message;
}

}  // namespace tilelab::judge
