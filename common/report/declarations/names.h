#pragma once

#include <string_view>

#include "report/places.h"

namespace tilelab::report {

/// Counts the elements of a static shared array as its declaration does, in all its dimensions: an
/// access may be wider or narrower. Names dynamic shared memory after the `extern __shared__` array
/// that its users declare, and what is indexed after the array of its type. What the text does not
/// tell stays as it is.
/// @param text  the source file
/// @param line  the number of a line in it that accesses the place; 0 if it is not known
void name_as_declared(MemoryPlace& memory, std::string_view text, unsigned line);

}  // namespace tilelab::report
