#pragma once

#include "text/diagnostics.h"
#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Refuses code that nvcc refuses because of where it runs: a launch of a function that is no
/// kernel, calls between host and device code, `__shared__` in a host function and the like. nvcc
/// knows types and finds more. Here, whatever could be meant otherwise is accepted.
/// @param has_lambdas  whether a lambda may be `__device__`
void refuse_wrong_spaces(const EditedText& text, bool has_lambdas, Diagnostics& diagnostics);

/// Removes `__global__`, `__device__` and the like, which the headers leave in the text.
void remove_space_words(EditedText& text);

}  // namespace tilelab::rewriter
