#include "variables/constants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilelab::rewriter {
namespace {

/// Whether the variable is `const`, in whose declaration the token is. A pointer to something that
/// is may itself be written.
bool is_const(const std::vector<Token>& tokens, std::size_t i) {
  std::size_t begin = i;
  while (begin > 0 && !tokens[begin - 1].is_any({";", "{", "}"})) --begin;
  bool result = false;
  for (std::size_t at = begin; at < tokens.size(); ++at) {
    if (tokens[at].is_any({"=", ";", "{", "["})) break;
    if (tokens[at].is_any({"const", "constexpr"})) result = true;
    if (tokens[at].is("*")) result = false;
  }
  return result;
}

/// A member is no variable of its own, so it can be in no section.
void keep_members_in_objects(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  for (const Variable& member : text.outline().members) {
    const std::size_t attribute = member.space_word + 1;
    if (!member.is_on_device() || !tokens[attribute].is("__attribute__")) continue;
    for (std::size_t i = attribute; i <= text.closing()[attribute + 1]; ++i) text.remove(i);
  }
}

}  // namespace

void separate_constants(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  const bool has_any = std::ranges::any_of(
      tokens, [](const Token& token) { return token.is("\"tilelab_constant\""); });
  if (!has_any) return;
  keep_members_in_objects(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("\"tilelab_constant\"") || !is_const(tokens, i)) continue;
    text.replace(i, "\"tilelab_constant_values\"");
  }
}

}  // namespace tilelab::rewriter
