#pragma once

#include <vector>

#include "judge/events.h"
#include "report/finding.h"

namespace tilelab::judge {

/// The pattern under which a lab keeps its hint on such findings.
const char* pattern_of(const report::Finding& finding);

/// What a finding tells the student, with the lines that it is about.
Message message_of(report::Finding finding);

/// Adds to the message of a read of a tile that nobody filled, that threads of the block had left.
/// @param all  all findings of the call
void add_threads_that_left(Message& message, const report::Finding& finding,
                           const std::vector<report::Finding>& all);

}  // namespace tilelab::judge
