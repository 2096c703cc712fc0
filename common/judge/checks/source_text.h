#pragma once

#include <string>

#include "report/report.h"

namespace tilelab::judge {

/// The trimmed text of a line of the submission; "" where the source was not given to the judge, or
/// the place lies elsewhere.
std::string source_line(const report::SourcePlace& place);

/// "diff.cu:16 `out[i] = in[i] - in[i - 1];`", without a text where there is none; "" if
/// nothing is known.
std::string show(const report::SourcePlace& place);

}  // namespace tilelab::judge
