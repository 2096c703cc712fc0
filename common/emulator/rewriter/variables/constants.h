#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Puts `__constant__` variables that are `const` in a section of their own: g++ has no section for
/// memory that is written and memory that is not. compile.sh joins the two.
void separate_constants(EditedText& text);

}  // namespace tilelab::rewriter
