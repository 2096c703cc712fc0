#include "diagnostics.h"

#include <iostream>

namespace tilelab::rewriter {

void Diagnostics::error(std::string_view file, unsigned line, const std::string& sentence) {
  constexpr unsigned most_errors = 10;
  if (++count_ <= most_errors) {
    std::cerr << file << ':' << line << ": error: " << sentence << '\n';
  }
}

}  // namespace tilelab::rewriter
