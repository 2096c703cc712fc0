#pragma once

#include <string>

#include "judge/calls/observation.h"

namespace tilelab::judge {

/// Appends what was observed of one call to the file of the option --profile, as a line of JSON:
/// {"call", "input_bytes", "output_bytes", "launches": [{"kernel", "grid", "block", "shared_bytes",
/// "blocks", "observed_blocks", "totals": {"global_loads": {...}, ...}, "lines": [{"file", "line",
/// "text", "counts"}]}]}. Does nothing without the option.
void write_profile(const std::string& call, const Observation& observation);

}  // namespace tilelab::judge
