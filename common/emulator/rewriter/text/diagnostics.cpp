#include "diagnostics.h"

#include <iostream>

namespace tilelab::rewriter {

void Diagnostics::error(std::string_view file, unsigned line, const std::string& sentence) {
  constexpr unsigned most_errors = 10;
  const std::string text =
      std::string(file) + ':' + std::to_string(line) + ": error: " + sentence + '\n';
  // A macro can repeat its argument.
  if (text == last_) return;
  last_ = text;
  if (++count_ <= most_errors) std::cerr << text;
}

}  // namespace tilelab::rewriter
