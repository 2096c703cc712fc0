#pragma once

#include <string>

#include "judge/calls/observation.h"

namespace tilelab::judge {

/// Writes the event "call", if the option --profile asks for it: {"call", "input_bytes",
/// "output_bytes", "launches": [{"kernel", "grid", "block", "shared_bytes", "blocks",
/// "observed_blocks", "totals": {"global_loads": {...}, ...}, "lines": [{"file", "line", "text",
/// "counts"}]}]}.
void write_profile(const std::string& call, const Observation& observation);

}  // namespace tilelab::judge
