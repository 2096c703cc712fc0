#pragma once

#include <string>

#include "judge/calls/observation.h"
#include "judge/json.h"

namespace tilelab::judge {

/// Writes the event "call", if the option --profile asks for it: {"call", "input_bytes",
/// "output_bytes", "launches": [...]}, whose members report::launch_json() describes.
void write_profile(const std::string& call, const Observation& observation);

/// What one launch did: a member of "launches" above.
JsonObject launch_json(const report::LaunchReport& launch);

}  // namespace tilelab::judge
