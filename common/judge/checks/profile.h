#pragma once

#include <string>

#include "judge/calls/observation.h"
#include "schema/launch.h"

namespace tilelab::judge {

/// Writes a schema::Call, if the option --profile asks for it.
void write_profile(const std::string& call, const Observation& observation);

/// What one launch did, with the lines of the submission.
schema::Launch record_of(const report::LaunchReport& launch);

}  // namespace tilelab::judge
