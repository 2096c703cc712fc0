#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Lets other threads run in loops that may wait for them: `while`, `do` and endless `for` loops
/// that do nothing, or that use atomic functions, fences or volatile variables. A round of them
/// that begins anew because of what it has read waits for another value, too.
void rewrite_spin_loops(EditedText& text);

}  // namespace tilelab::rewriter
