#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// In a file with nodes of kernels, adds an object behind each kernel that tells the runtime its
/// parameters: a node has only the kernel's address.
void add_kernel_entries(EditedText& text);

}  // namespace tilelab::rewriter
