#pragma once

#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Turns every `kernel<<<configuration>>>(arguments)` of user code into
/// `configure_launch("kernel", ..., configuration)(arguments)`.
void rewrite_launches(EditedText& text, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
