#pragma once

#include <string>

#include "observer.h"

namespace tilelab::emulator {

/// What is wrong and where, in a sentence or two for the author of the kernel. Resolve the report's
/// places (source_lines.h) first.
std::string text_of(const Finding& finding);

}  // namespace tilelab::emulator
