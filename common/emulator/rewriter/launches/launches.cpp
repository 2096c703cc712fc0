#include "launches/launches.h"

#include <algorithm>
#include <array>

namespace tilelab::rewriter {
namespace {

/// Keywords that can come right before a launch and are not part of its kernel.
bool is_statement_keyword(const Token& token) {
  constexpr std::array words = {"return", "else", "do", "if", "while", "for", "switch", "case"};
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

class LaunchRewriter {
 public:
  LaunchRewriter(EditedText& text, Diagnostics& diagnostics)
      : text_(text),
        tokens_(text.tokens()),
        diagnostics_(diagnostics),
        opening_(opening_brackets(text.closing())) {}

  void run() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!is_open_chevron(i)) continue;
      rewrite(i);
      // Further `<` belong to the same mistake.
      while (i + 1 < tokens_.size() && tokens_[i + 1].is("<")) ++i;
    }
  }

 private:
  bool three_in_a_row(std::size_t i, std::string_view text) const {
    return i + 2 < tokens_.size() && tokens_[i].is(text) && tokens_[i + 1].is(text) &&
           tokens_[i + 2].is(text);
  }

  /// `<<<` has no other meaning in C++, except in a call of `operator<< <T>`.
  bool is_open_chevron(std::size_t i) const {
    return tokens_[i].is_user_code && three_in_a_row(i, "<") && i > 0 &&
           !tokens_[i - 1].is("operator");
  }

  bool is_close_chevron(std::size_t i) const {
    return three_in_a_row(i, ">") && i + 3 < tokens_.size() && tokens_[i + 3].is("(");
  }

  void rewrite(std::size_t chevron) {
    const std::size_t kernel = kernel_begin(chevron);
    const std::size_t close = find_close(chevron + 3);
    if (const char* const mistake = mistake_of(kernel, chevron, close)) {
      diagnostics_.error(tokens_[chevron].file, tokens_[chevron].line, mistake);
      return;
    }
    const std::string callee = join(tokens_, kernel, chevron);
    const std::string signature = "::tilelab::emulator::signature_of(" + callee + ", tilelab_find)";
    text_.insert_before(kernel, "::tilelab::emulator::configure_launch(\"" + escaped(callee) +
                                    "\", [&](auto tilelab_find) -> decltype(" + signature +
                                    ") { return " + signature +
                                    "; }, [&](const auto&... tilelab_argument) { return ");
    text_.replace(chevron, "(tilelab_argument...); }, ");
    text_.remove(chevron + 1);
    text_.remove(chevron + 2);
    text_.replace(close, ")");
    text_.remove(close + 1);
    text_.remove(close + 2);
  }

  /// What is wrong with a launch, null if nothing is.
  const char* mistake_of(std::size_t kernel, std::size_t chevron, std::size_t close) const {
    if (kernel == nowhere) return "there is no kernel before `<<<`";
    if (close == nowhere) return "a kernel launch needs `>>>(arguments)` after its `<<<`";
    if (close == chevron + 3) return "a kernel launch needs `<<<blocks, threads per block>>>`";
    if (has_too_many_values(chevron + 3, close)) {
      return "a kernel launch takes at most `<<<blocks, threads per block, bytes of shared memory, "
             "stream>>>`";
    }
    return nullptr;
  }

  /// Whether there are more than four values between chevrons. Those with angle brackets may be
  /// template arguments, which the compiler counts.
  bool has_too_many_values(std::size_t begin, std::size_t close) const {
    int commas = 0;
    for (std::size_t i = begin; i < close; ++i) {
      if (tokens_[i].is("<")) return false;
      commas += tokens_[i].is(",");
      i = std::max(i, text_.closing()[i]);
    }
    return commas > 3;
  }

  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c == '\n' ? ' ' : c;
    }
    return result;
  }

  /// The last `>>>(` of the statement: an earlier one closes template arguments.
  std::size_t find_close(std::size_t begin) const {
    std::size_t close = nowhere;
    int depth = 0;
    for (std::size_t i = begin; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      // The next launch's `<<<` ends the search at any depth, so that each token is visited once.
      if (is_open_chevron(i)) break;
      if (token.kind != Kind::punctuator) continue;
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth < 0 || (depth == 0 && token.is(";"))) break;
      if (depth == 0 && is_close_chevron(i)) close = i;
    }
    return close;
  }

  /// The begin of the postfix expression that ends before `end`.
  std::size_t kernel_begin(std::size_t end) const {
    std::size_t i = end;
    for (;;) {
      i = primary_begin(i);
      if (i == nowhere) return nowhere;
      if (i > 0 && tokens_[i - 1].is("template")) --i;
      if (i == 0) return 0;
      const Token& before = tokens_[i - 1];
      if (before.is("::")) {
        --i;
        if (i == 0 || !ends_name(tokens_[i - 1])) return i;
      } else if (before.is(".") || before.is("->")) {
        --i;
      } else {
        return i;
      }
    }
  }

  static bool ends_name(const Token& token) {
    return (token.kind == Kind::identifier && !is_statement_keyword(token)) || token.is(">");
  }

  /// Whether an expression may end there, so that a bracket after it belongs to it.
  bool may_be_called(std::size_t end) const {
    const Token& token = tokens_[end];
    return ends_name(token) || token.is("]") || (token.is(")") && !closes_head(end));
  }

  /// Whether the `)` is the last one of `if (...)`, `for (...)` and the like.
  bool closes_head(std::size_t close) const {
    const std::size_t open = opening_[close];
    if (open == nowhere || open == 0) return false;
    constexpr std::array words = {"if", "constexpr", "while", "for", "switch"};
    return std::find(words.begin(), words.end(), tokens_[open - 1].text) != words.end();
  }

  /// The begin of the `name`, `name<...>`, `(...)`, `name(...)` or `name[...]` that ends before
  /// `end`.
  std::size_t primary_begin(std::size_t end) const {
    std::size_t i = end;
    while (i > 0 && (tokens_[i - 1].is(")") || tokens_[i - 1].is("]"))) {
      i = opening_[i - 1];
      if (i == nowhere) return nowhere;
      if (i == 0 || !may_be_called(i - 1)) return i;
    }
    if (i > 0 && tokens_[i - 1].is(">")) i = template_arguments_begin(i - 1);
    if (i == 0 || i == nowhere) return nowhere;
    const Token& name = tokens_[i - 1];
    return name.kind == Kind::identifier && !is_statement_keyword(name) ? i - 1 : nowhere;
  }

  /// The `<` that belongs to the `>` at `close`.
  std::size_t template_arguments_begin(std::size_t close) const {
    // Longer arguments than this are an attack on the compiler, not a launch.
    constexpr std::size_t most_tokens = 1000;
    int depth = 0;
    std::size_t i = close;
    for (std::size_t steps = 0; steps < most_tokens; ++steps) {
      const Token& token = tokens_[i];
      if (token.is(";") || token.is("{")) return nowhere;
      if (token.is(")") || token.is("]") || token.is("}")) {
        if (opening_[i] == nowhere) return nowhere;
        i = opening_[i];
      } else if (token.is(">")) {
        ++depth;
      } else if (token.is("<") && --depth == 0) {
        return i;
      }
      if (i == 0) return nowhere;
      --i;
    }
    return nowhere;
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
  const std::vector<std::size_t> opening_;
};

}  // namespace

void rewrite_launches(EditedText& text, Diagnostics& diagnostics) {
  LaunchRewriter(text, diagnostics).run();
}

}  // namespace tilelab::rewriter
