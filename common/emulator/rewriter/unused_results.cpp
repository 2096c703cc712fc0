#include "unused_results.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <vector>

#include "text/outline.h"

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

/// Finds out where statements begin.
class Statements {
 public:
  explicit Statements(const std::vector<Token>& tokens)
      : tokens_(tokens), closing_(closing_brackets(tokens)), opening_(tokens.size()) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (closing_[i] != 0) opening_[closing_[i]] = i;
    }
  }

  /// The closing bracket of the one at `open`.
  std::size_t end_of(std::size_t open) const { return closing_[open]; }

  /// Whether a statement begins at this token.
  bool begins_at(std::size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens_[i - 1];
    if (!before.is(")")) return is_any(before, {";", "{", "}", "else", "do"});
    const std::size_t open = opening_[i - 1];
    if (open == 0) return false;
    const bool is_void = open + 3 == i && tokens_[open + 1].is("void");
    return is_void ? begins_at(open) : is_any(tokens_[open - 1], {"if", "for", "while"});
  }

 private:
  static bool is_any(const Token& token, std::initializer_list<const char*> texts) {
    return std::any_of(texts.begin(), texts.end(), [&](const char* one) { return token.is(one); });
  }

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> closing_;
  std::vector<std::size_t> opening_;  ///< By closing bracket.
};

/// Whether user code has a function of such a name, which may not take what the emulator passes.
template <class Test>
bool has_own(const std::vector<Token>& tokens, Test is_one) {
  const std::vector<Function> functions = outline_of(tokens).functions;
  return std::any_of(functions.begin(), functions.end(),
                     [&](const Function& function) { return is_one(tokens[function.name_token]); });
}

/// Where such functions are called as a statement.
template <class Test>
std::vector<std::size_t> calls_as_statements(const std::vector<Token>& tokens,
                                             std::optional<Statements>& statements, Test is_one) {
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_one(tokens[i]) || !tokens[i + 1].is("(")) continue;
    if (!statements) statements.emplace(tokens);
    const std::size_t end = statements->end_of(i + 1);
    const bool is_statement =
        end != 0 && end + 1 < tokens.size() && tokens[end + 1].is(";") && statements->begins_at(i);
    if (is_statement) calls.push_back(i);
  }
  return !calls.empty() && !has_own(tokens, is_one) ? calls : std::vector<std::size_t>{};
}

}  // namespace

void rewrite_unused_results(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  std::optional<Statements> statements;
  for (const std::size_t i : calls_as_statements(tokens, statements, is_addition)) {
    const std::size_t addend = statements->end_of(i + 1) - 1;
    if (!is_word(tokens[addend]) || !tokens[addend - 1].is(",")) continue;
    text.replace(addend, "::tilelab::emulator::Addend{" + std::string(tokens[addend].text) + "}");
  }
  for (const std::size_t i : calls_as_statements(tokens, statements, is_exchange)) {
    const bool in_block = tokens[i].is("atomicExch_block");
    text.replace(i, in_block ? "::tilelab::emulator::atomic_store_block"
                             : "::tilelab::emulator::atomic_store");
  }
}

}  // namespace tilelab::rewriter
