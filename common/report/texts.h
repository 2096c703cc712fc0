#pragma once

#include <string>

#include "report/finding.h"
#include "report/index3.h"
#include "report/places.h"

/// A report in words.
namespace tilelab::report {

/// "diff.cu:12", or "" if nothing is known of the place.
std::string file_and_line(const SourcePlace& place);

/// "tile[3]", "byte 64 of shared memory", ...
std::string text_of(const MemoryPlace& place);

/// "block (0,0,0), thread (1,0,0)"
std::string thread_text(const Index3& block, const Index3& thread);

/// A sentence or two for the author of the kernel: what is wrong, and where. Resolve the report's
/// places (source_lines.h) first.
/// @param show  writes a place in the source
std::string text_of(const Finding& finding,
                    std::string (*show)(const SourcePlace&) = file_and_line);

/// The same where the lines are shown, with what happens at them.
std::string summary_of(const Finding& finding);

/// What is said at the line of one thread of a finding.
struct LineNote {
  std::string word;  ///< The word of the line that it is about; "" if it is the whole line.
  std::string says;  ///< What happens there.
};

/// Whether the thread has no element of the shared array: the block is larger than the array.
bool is_of_larger_block(const Finding& finding);

/// The note at the line of the first thread.
LineNote first_note(const Finding& finding);

/// The note at the line of the second thread.
LineNote second_note(const Finding& finding);

}  // namespace tilelab::report
