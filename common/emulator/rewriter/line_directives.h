#pragma once

#include <string_view>

#include "diagnostics.h"

namespace tilelab::rewriter {

/// Refuses `#line`, and the compilers' own `# 12 "file"`, in a source before preprocessing: they
/// could pass user code off as a system header's.
///
/// Errs on the safe side: what looks like one in a comment or raw string is refused too.
void refuse_line_directives(std::string_view source, std::string_view file,
                            Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
