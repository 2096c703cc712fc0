#pragma once

#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Takes __cluster_dims__ out of the declarations of kernels, and writes down what it says, where
/// the runtime finds it.
void rewrite_cluster_dims(EditedText& text, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
