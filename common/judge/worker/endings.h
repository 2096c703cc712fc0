#pragma once

#include <string>

#include "contract/wire.h"
#include "judge/events.h"
#include "judge/worker/limits.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// Tells the student, in one sentence, why a worker did not answer.
std::string explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                           const std::string& subject);

/// Tells the student about the error that ended a call, from a reply whose text is printable.
Message explain_error(const wire::Reply& reply, const std::string& subject);

}  // namespace tilelab::judge
