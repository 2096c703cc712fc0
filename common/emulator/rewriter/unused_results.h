#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Marks atomic operations whose old value nobody wants.
///
/// - `atomicAdd(&bins[v], 1);` adds. If what is added is a constant 1, GPUs have an instruction of
///   its own for it in shared memory, which serves all lanes that want one word at once. Whether a
///   name stands for 1, the compiler knows.
/// - `atomicExch(&flag, 0);` stores: it reads nothing.
void rewrite_unused_results(EditedText& text);

}  // namespace tilelab::rewriter
