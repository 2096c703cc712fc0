#include "branch_masks.h"

#include <algorithm>
#include <vector>

namespace tilelab::rewriter {
namespace {

bool looks_at_lanes(const Token& token) {
  return token.is_any({"__popc", "__ffs", "__clz", "__fns", "__popcll", "__ffsll", "popcount",
                       "countr_zero", "countl_zero"});
}

}  // namespace

void mark_branch_masks(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  const auto is_marked = [](const Token& token) {
    return token.is_user_code && token.is("__activemask");
  };
  if (std::ranges::none_of(tokens, is_marked)) return;
  for (const Function& function : text.outline().functions) {
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(function.begin);
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(function.end);
    if (std::any_of(begin, end, looks_at_lanes)) continue;
    for (std::size_t i = function.begin; i < function.end; ++i) {
      if (!is_marked(tokens[i]) || tokens[i - 1].is("::")) continue;
      text.replace(i, "::tilelab::emulator::branch_mask");
    }
  }
}

}  // namespace tilelab::rewriter
