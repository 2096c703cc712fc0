#pragma once

#include <string>

#include "report/json/json.h"
#include "report/report.h"

namespace tilelab::report {

/// What was seen of one launch: {"kernel", "grid", "block", "launches", "shared_bytes",
/// "dynamic_shared_bytes", "blocks", "observed_blocks", "distinct_bytes_loaded",
/// "distinct_bytes_stored", "totals", "lines": [{"file", "line", "text", "counts"}]}.
/// @param line  returns the text of a line of the source
JsonObject launch_json(const LaunchReport& launch, std::string (*line)(const SourcePlace&));

}  // namespace tilelab::report
