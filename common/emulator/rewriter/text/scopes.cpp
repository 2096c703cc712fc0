#include "text/scopes.h"

#include <algorithm>
#include <map>

namespace tilelab::rewriter {
namespace {

/// The `{` of the namespace or class whose head begins there, or `nowhere`.
std::size_t brace_after(const std::vector<Token>& tokens, std::size_t word) {
  constexpr std::size_t longest_head = 100;
  for (std::size_t i = word + 1; i < std::min(tokens.size(), word + longest_head); ++i) {
    if (tokens[i].is_any({";", "(", ")", "=", "*", "&"})) return nowhere;
    if (tokens[i].is("{")) return i;
  }
  return nowhere;
}

/// The names between the word and the brace. A class has one, before its bases.
Scope names_in(const std::vector<Token>& tokens, std::size_t word, std::size_t brace) {
  Scope names;
  const bool is_namespace = tokens[word].is("namespace");
  const bool is_inline = is_namespace && word > 0 && tokens[word - 1].is("inline");
  for (std::size_t i = word + 1; i < brace && !is_inline; ++i) {
    if (tokens[i].kind == Kind::identifier) names.emplace_back(tokens[i].text);
    if (!is_namespace && !names.empty()) break;
  }
  return names;
}

}  // namespace

Scopes::Scopes(const std::vector<Token>& tokens, const std::vector<std::size_t>& closing)
    : around_(tokens.size(), nowhere) {
  std::vector<std::size_t> open;  // the numbers of braces
  std::map<std::size_t, Scope> named;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!open.empty()) around_[i] = open.back();
    if (tokens[i].is_any({"namespace", "struct", "class", "union"})) {
      const std::size_t brace = brace_after(tokens, i);
      if (brace != nowhere) named.try_emplace(brace, names_in(tokens, i, brace));
    } else if (tokens[i].is("extern") && i + 2 < tokens.size() && tokens[i + 2].is("{")) {
      named.try_emplace(i + 2);  // extern "C"
    } else if (tokens[i].is("{") && closing[i] != 0) {
      const auto found = named.find(i);
      Scope names = found != named.end() ? found->second : Scope{"{" + std::to_string(i)};
      braces_.push_back({around_[i], std::move(names)});
      open.push_back(braces_.size() - 1);
    } else if (tokens[i].is("}") && !open.empty()) {
      open.pop_back();
      around_[i] = open.empty() ? nowhere : open.back();
    }
  }
}

Scope Scopes::scope_of(std::size_t token) const {
  // Deeper braces are an attack on this program.
  constexpr std::size_t deepest = 64;
  Scope scope;
  for (std::size_t i = around_[token]; i != nowhere && scope.size() < deepest;
       i = braces_[i].around) {
    scope.insert(scope.begin(), braces_[i].names.begin(), braces_[i].names.end());
  }
  return scope;
}

}  // namespace tilelab::rewriter
