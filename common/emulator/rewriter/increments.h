#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Marks atomic additions whose old value nobody wants: `atomicAdd(&bins[v], 1);`. If what is added
/// is a constant 1, GPUs have an instruction of its own for them in shared memory, which serves all
/// lanes that want one word at once. Whether a name stands for 1, the compiler knows.
void rewrite_increments(EditedText& text);

}  // namespace tilelab::rewriter
