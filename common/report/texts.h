#pragma once

#include <string>

#include "report/finding.h"
#include "report/places.h"

/// A report in words.
namespace tilelab::report {

/// "diff.cu:12", or "" if nothing is known of the place.
std::string file_and_line(const SourcePlace& place);

/// "tile[3]", "shared memory + 64", ...
std::string text_of(const MemoryPlace& place);

/// "block (0,0,0), thread (1,0,0)".
std::string thread_of(const Accessor& accessor);

/// What a thread does with `what`: "block (0,0,0), thread (1,0,0) reads tile[0]".
std::string text_of(const Accessor& accessor, const std::string& what);

/// Whether both threads of a finding belong to one block.
bool are_of_one_block(const Finding& finding);

/// A sentence or two for the author of the kernel: what is wrong, and where. Resolve the report's
/// places (source_lines.h) first.
/// @param show  writes a place in the source
std::string text_of(const Finding& finding,
                    std::string (*show)(const SourcePlace&) = file_and_line);

}  // namespace tilelab::report
