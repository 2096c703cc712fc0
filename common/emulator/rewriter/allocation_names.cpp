#include "allocation_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

bool allocates(const Token& token) {
  constexpr std::array functions = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                                    "cudaMallocHost", "cudaHostAlloc"};
  return token.is_user_code &&
         std::find(functions.begin(), functions.end(), token.text) != functions.end();
}

/// Whether the token can be in a cast to a pointer.
bool is_of_cast(const Token& token) {
  constexpr std::array others = {"(", ")", "*", "<", ">"};
  return token.kind == Kind::identifier ||
         std::find(others.begin(), others.end(), token.text) != others.end();
}

}  // namespace

void name_allocations(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  constexpr std::size_t longest_cast = 12;
  for (std::size_t call = 0; call + 4 < tokens.size(); ++call) {
    if (!allocates(tokens[call]) || !tokens[call + 1].is("(")) continue;
    std::size_t i = call + 2;
    while (i < call + 2 + longest_cast && i + 2 < tokens.size() && is_of_cast(tokens[i])) ++i;
    const bool is_whole = i + 2 < tokens.size() && tokens[i].is("&") &&
                          tokens[i + 1].kind == Kind::identifier &&
                          (tokens[i + 2].is(",") || tokens[i + 2].is(")"));
    if (!is_whole) continue;
    const std::string name(tokens[i + 1].text);
    text.replace(i, "::tilelab::emulator::named(&");
    text.replace(i + 1, name + ", \"" + name + "\")");
  }
}

}  // namespace tilelab::rewriter
