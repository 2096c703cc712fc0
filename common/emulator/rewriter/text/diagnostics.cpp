#include "diagnostics.h"

#include <iostream>

namespace tilelab::rewriter {
namespace {

std::string text_of(std::string_view file, unsigned line, const char* kind,
                    const std::string& sentence) {
  return std::string(file) + ':' + std::to_string(line) + ": " + kind + ": " + sentence + '\n';
}

}  // namespace

void Diagnostics::error(std::string_view file, unsigned line, const std::string& sentence) {
  constexpr unsigned most_errors = 10;
  const std::string text = text_of(file, line, "error", sentence);
  // A macro can repeat its argument.
  if (text == last_) return;
  last_ = text;
  if (++count_ <= most_errors) std::cerr << text;
}

void Diagnostics::warning(std::string_view file, unsigned line, const std::string& sentence) {
  std::cerr << text_of(file, line, "warning", sentence);
}

}  // namespace tilelab::rewriter
