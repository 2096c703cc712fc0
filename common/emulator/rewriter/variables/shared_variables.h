#pragma once

#include "launches/kernel_notes.h"
#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Turns `__shared__` variables into thread-local ones, and `extern __shared__` arrays into names
/// for the dynamic shared memory. The emulator's one thread has one copy of a thread-local
/// variable, and every block finds it poisoned.
void rewrite_shared_variables(EditedText& text, const KernelNotes& kernel_notes,
                              Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
