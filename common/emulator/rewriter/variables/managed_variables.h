#pragma once

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Lists the `__managed__` variables, for whoever has to tell them from other variables.
void list_managed_variables(EditedText& text);

}  // namespace tilelab::rewriter
