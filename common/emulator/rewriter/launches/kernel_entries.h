#pragma once

#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// In a file with nodes of kernels, adds an object behind each kernel that tells the runtime its
/// parameters: a node has only the kernel's address. A file that is no program of its own may have
/// none: such objects would be made before anything else runs.
void add_kernel_entries(EditedText& text, bool is_program, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
