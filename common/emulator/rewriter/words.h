#pragma once

#include "diagnostics.h"
#include "edited_text.h"

namespace tilelab::rewriter {

/// Refuses the words of user code that name what the emulator has not, and gives `__noinline__` its
/// meaning.
void rewrite_words(EditedText& text, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
