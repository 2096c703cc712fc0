#pragma once

#include "judge/events.h"
#include "report/finding.h"

namespace tilelab::judge {

/// The pattern under which a lab keeps its hint on such findings.
const char* pattern_of(const report::Finding& finding);

/// What a finding tells the student, with the lines that it is about.
Message message_of(const report::Finding& finding);

}  // namespace tilelab::judge
