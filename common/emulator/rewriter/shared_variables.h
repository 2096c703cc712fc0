#pragma once

#include "diagnostics.h"
#include "edited_text.h"

namespace tilelab::rewriter {

/// Turns `__shared__` variables into thread-local ones, of which the emulator's one thread has one
/// copy that every block finds poisoned, and `extern __shared__` arrays into names for the dynamic
/// shared memory.
void rewrite_shared_variables(EditedText& text, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
