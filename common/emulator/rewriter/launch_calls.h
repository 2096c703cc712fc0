#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Turns the first argument of cudaLaunchKernel() and its like into the kernel and its name,
/// without the cast to `void*` that hides the kernel's type.
void rewrite_launch_calls(EditedText& text);

}  // namespace tilelab::rewriter
