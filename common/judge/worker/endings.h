#pragma once

#include <string>

#include "judge/worker/limits.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// One sentence on why a worker gave no answer, for its student.
std::string explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                           const std::string& subject);

}  // namespace tilelab::judge
