#pragma once

#include <string_view>

#include "text/diagnostics.h"

namespace tilelab::rewriter {

/// Refuses `#line`, and the compilers' form `# 12 "file"`, in a source before preprocessing: they
/// could make user code look like that of a system header.
///
/// Errs on the safe side: it also refuses what looks like a directive in a comment or raw string.
void refuse_line_directives(std::string_view source, std::string_view file,
                            Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
