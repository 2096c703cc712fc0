#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Tells the runtime the names of the pointers that allocations fill: of `d_in` for
/// `cudaMalloc(&d_in, bytes)` and `cudaMalloc((void**)&d_in, bytes)`.
void name_allocations(EditedText& text);

}  // namespace tilelab::rewriter
