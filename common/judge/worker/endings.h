#pragma once

#include <string>

#include "judge/worker/limits.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// Tells the student, in one sentence, why a worker did not answer.
std::string explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                           const std::string& subject);

}  // namespace tilelab::judge
