#pragma once

#include <string>

#include "report/report.h"

namespace tilelab::emulator {

/// "diff.cu:12", "" if nothing is known of the place.
std::string file_and_line(const SourcePlace& place);

/// What is wrong and where, in a sentence or two for the author of the kernel. Resolve the report's
/// places (source_lines.h) first.
/// @param show  how places are written
std::string text_of(const Finding& finding,
                    std::string (*show)(const SourcePlace&) = file_and_line);

}  // namespace tilelab::emulator
