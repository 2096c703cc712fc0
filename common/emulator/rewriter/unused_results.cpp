#include "unused_results.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "text/statements.h"

namespace tilelab::rewriter {
namespace {

bool is_addition(const Token& token) {
  return token.is_user_code && (token.is("atomicAdd") || token.is("atomicAdd_block"));
}

bool is_exchange(const Token& token) {
  return token.is_user_code &&
         (token.is("atomicExch") || token.is("atomicExch_block") || token.is("atomicExch_system"));
}

/// Whether the token is a name or a number, and so a whole argument between a comma and a bracket.
bool is_word(const Token& token) {
  const auto first = static_cast<unsigned char>(token.text.front());
  return std::isalnum(first) != 0 || first == '_';
}

/// Whether user code has a function of such a name, which may not take what the emulator passes.
template <class Test>
bool has_own(const EditedText& text, Test is_one) {
  return std::ranges::any_of(text.outline().functions, [&](const Function& function) {
    return is_one(text.tokens()[function.name_token]);
  });
}

/// Where such functions are called as a statement.
template <class Test>
std::vector<std::size_t> calls_alone(const EditedText& text, const Statements& statements,
                                     Test is_one) {
  std::vector<std::size_t> calls;
  if (has_own(text, is_one)) return calls;
  for (std::size_t i = 0; i < text.tokens().size(); ++i) {
    if (is_one(text.tokens()[i]) && statements.is_call_alone(i)) calls.push_back(i);
  }
  return calls;
}

}  // namespace

void rewrite_unused_results(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  const Statements statements(text);
  for (const std::size_t i : calls_alone(text, statements, is_addition)) {
    const std::size_t addend = statements.end_of(i + 1) - 1;
    if (!is_word(tokens[addend]) || !tokens[addend - 1].is(",")) continue;
    text.replace(addend, "::tilelab::emulator::Addend{" + std::string(tokens[addend].text) + "}");
  }
  for (const std::size_t i : calls_alone(text, statements, is_exchange)) {
    const bool in_block = tokens[i].is("atomicExch_block");
    text.replace(i, in_block ? "::tilelab::emulator::atomic_store_block"
                             : "::tilelab::emulator::atomic_store");
  }
}

}  // namespace tilelab::rewriter
