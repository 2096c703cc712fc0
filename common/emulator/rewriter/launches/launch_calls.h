#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Turns the argument of cudaLaunchKernel() and its like that names the kernel into the kernel and
/// its name, without the cast to `void*` that hides the kernel's type.
void rewrite_launch_calls(EditedText& text);

}  // namespace tilelab::rewriter
