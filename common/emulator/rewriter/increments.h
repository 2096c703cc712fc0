#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Marks additions of 1 whose old value nobody wants: `atomicAdd(&bins[v], 1);`. In shared memory
/// GPUs have an instruction of its own for them, which serves all lanes that want one word at once.
void rewrite_increments(EditedText& text);

}  // namespace tilelab::rewriter
