#pragma once

#include <string_view>

#include "text/diagnostics.h"

namespace tilelab::rewriter {

/// Refuses headers of an installed CUDA Toolkit, which the compiler finds where the emulator has
/// none of that name: they belong to another compiler.
void refuse_foreign_headers(std::string_view preprocessed, Diagnostics& diagnostics);

}  // namespace tilelab::rewriter
