#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Lets the runtime know of the errors that a program does not look at: those of calls that are
/// statements, such as `cudaMemset(&field, 0, bytes);`. A call after `(void)` is left alone.
void mark_unchecked_calls(EditedText& text);

}  // namespace tilelab::rewriter
