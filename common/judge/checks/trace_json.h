#pragma once

#include <vector>

#include "judge/json.h"
#include "report/report.h"

namespace tilelab::judge {

/// The steps of a launch: {"complete", "arrays": [{"space", "name", "begin", "bytes"}], "places":
/// [{"file", "line"}], "steps": [...]}. A step is {"block", "place", "barrier": 1}, or a request
/// {"block", "place", "warp", "kind", "bytes", "sectors", "wavefronts", "ideal", "lanes", "arrays",
/// "offsets", "values"}; the last four have an element per active lane. A value is the stored bytes
/// in hexadecimal digits, or "".
JsonObject trace_json(const report::Trace& trace);

/// What is wrong in a launch: [{"kind", "text", "note", "space", "name", "index", "bytes",
/// "accesses": [{"line", "kind", "block", "thread"}]}].
std::vector<JsonObject> findings_json(const std::vector<report::Finding>& findings);

}  // namespace tilelab::judge
