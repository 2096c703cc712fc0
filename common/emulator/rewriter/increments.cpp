#include "increments.h"

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

/// Whether user code has a function of this name, which may not take what the emulator passes.
bool has_own_addition(const std::vector<Token>& tokens) {
  const std::vector<Function> functions = outline_of(tokens).functions;
  return std::any_of(functions.begin(), functions.end(), [&](const Function& function) {
    return is_addition(tokens[function.name_token]);
  });
}

}  // namespace

void rewrite_increments(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  std::optional<Statements> statements;
  std::vector<std::size_t> addends;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_addition(tokens[i]) || !tokens[i + 1].is("(")) continue;
    if (!statements) statements.emplace(tokens);
    const std::size_t end = statements->end_of(i + 1);
    const bool is_statement =
        end != 0 && end + 1 < tokens.size() && tokens[end + 1].is(";") && statements->begins_at(i);
    if (is_statement && is_word(tokens[end - 1]) && tokens[end - 2].is(",")) {
      addends.push_back(end - 1);
    }
  }
  if (addends.empty() || has_own_addition(tokens)) return;
  for (const std::size_t addend : addends) {
    text.replace(addend, "::tilelab::emulator::Addend{" + std::string(tokens[addend].text) + "}");
  }
}

}  // namespace tilelab::rewriter
