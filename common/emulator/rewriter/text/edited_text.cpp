#include "edited_text.h"

namespace tilelab::rewriter {

std::string join(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
  std::string result;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && !tokens[i].leading.empty()) result += ' ';
    result += tokens[i].text;
  }
  return result;
}

}  // namespace tilelab::rewriter
