#pragma once

#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Refuses words of user code that name features the emulator does not have, and gives
/// `__noinline__` its meaning.
void rewrite_feature_names(EditedText& text, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
