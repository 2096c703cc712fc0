#include "unchecked_calls.h"

#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "text/statements.h"

namespace tilelab::rewriter {
namespace {

bool is_of_runtime(const Token& token) {
  return token.is_user_code && token.text.starts_with("cuda") && token.text.size() > 4 &&
         std::isupper(static_cast<unsigned char>(token.text[4])) != 0;
}

}  // namespace

void mark_unchecked_calls(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  const Statements statements(text);
  std::set<std::string_view> own;
  for (const Function& function : text.outline().functions) own.insert(function.name);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!is_of_runtime(tokens[i])) continue;
    const bool is_cast = tokens[i - 1].is(")") && i > 1 && tokens[i - 2].is("void");
    if (is_cast || own.contains(tokens[i].text) || !statements.is_call_alone(i)) continue;
    text.insert_before(i, "::tilelab::emulator::unchecked(");
    text.replace(statements.end_of(i + 1), "))");
  }
}

}  // namespace tilelab::rewriter
