#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Lets main() return 0 where it says `return;`. nvcc only warns of that, the CPU's compilers
/// refuse it.
void complete_returns_of_main(EditedText& text);

}  // namespace tilelab::rewriter
