#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Marks calls of __activemask(), so that a checked build can tell if lanes shuffle with such a
/// mask in a branch. A function that counts the lanes, or picks a leader among them, works with
/// any.
void mark_branch_masks(EditedText& text);

}  // namespace tilelab::rewriter
