#pragma once

#include <string>

#include "report/report.h"

namespace tilelab::judge {

/// The text of the submission; "" if the judge was not given it.
const std::string& submission_text();

/// The number of a line of the submission; 0 if the judge was not given the source, or if the place
/// lies in another file.
unsigned submission_line(const report::SourcePlace& place);

/// Whether submission_line() is not 0.
bool is_in_submission(const report::SourcePlace& place);

/// The trimmed text of a line of the submission. It is "" if submission_line() is 0.
std::string source_line(const report::SourcePlace& place);

/// Names and quotes a line: "diff.cu:16 `out[i] = in[i] - in[i - 1];`". The quotation is missing if
/// source_line() is "". If nothing is known of the place, the result is "".
std::string show(const report::SourcePlace& place);

}  // namespace tilelab::judge
