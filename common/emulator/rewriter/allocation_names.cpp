#include "allocation_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

bool allocates(const Token& token) {
  constexpr std::array functions = {"cudaMalloc",     "cudaMallocManaged", "cudaMallocAsync",
                                    "cudaMallocHost", "cudaHostAlloc",     "cudaMallocPitch"};
  return token.is_user_code &&
         std::find(functions.begin(), functions.end(), token.text) != functions.end();
}

/// Where the variable, element or member that begins there ends: "d", "d[i]", "a.b->c[2]". A call
/// may have an effect, so it is none.
/// @return the token after it, or `begin` if it is something else
std::size_t end_of_lvalue(const std::vector<Token>& tokens, std::size_t begin) {
  constexpr std::size_t longest = 24;
  const std::size_t end = std::min(tokens.size(), begin + longest);
  std::size_t i = begin;
  if (i >= end || tokens[i].kind != Kind::identifier) return begin;
  int depth = 0;
  for (++i; i < end && !(depth == 0 && (tokens[i].is(",") || tokens[i].is(")"))); ++i) {
    if (tokens[i].is("[")) ++depth;
    if (tokens[i].is("]")) --depth;
    const bool is_part = depth > 0 || tokens[i].is("]") || tokens[i].is(".") ||
                         tokens[i].is("->") || tokens[i].kind == Kind::identifier;
    if (!is_part || tokens[i].is("(")) return begin;
  }
  return i < end ? i : begin;
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
    if (i >= tokens.size() || !tokens[i].is("&")) continue;
    const std::size_t end = end_of_lvalue(tokens, i + 1);
    if (end == i + 1) continue;
    std::string name;
    for (std::size_t part = i + 1; part < end; ++part) name += tokens[part].text;
    const Token& last = tokens[end - 1];
    text.replace(i, "::tilelab::emulator::named(&");
    text.replace(end - 1, std::string(last.text) + ", \"" + name + "\")");
  }
}

}  // namespace tilelab::rewriter
