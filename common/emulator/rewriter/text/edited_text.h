#pragma once

#include <ostream>
#include <string>
#include <unordered_map>

#include "text/lexer.h"
#include "text/outline.h"

namespace tilelab::rewriter {

/// A tokenized text and the changes to make to it. What is between tokens stays, and so does the
/// number of lines.
class EditedText {
 public:
  explicit EditedText(TokenizedText text)
      : text_(std::move(text)),
        closing_(closing_brackets(text_.tokens)),
        outline_(outline_of(text_.tokens)) {}

  const std::vector<Token>& tokens() const { return text_.tokens; }
  /// By opening token: its closing `)`, `]` or `}`. By any other: 0.
  const std::vector<std::size_t>& closing() const { return closing_; }
  const Outline& outline() const { return outline_; }

  void insert_before(std::size_t token, const std::string& text) { edits_[token].before += text; }
  void replace(std::size_t token, const std::string& text) {
    edits_[token].is_replaced = true;
    edits_[token].replacement = text;
  }
  void remove(std::size_t token) { replace(token, ""); }

  void print(std::ostream& out) const {
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
      const Token& token = text_.tokens[i];
      out << token.leading;
      const auto edit = edits_.find(i);
      if (edit == edits_.end()) {
        out << token.text;
      } else {
        put(out, edit->second.before);
        if (edit->second.is_replaced) {
          put(out, edit->second.replacement);
        } else {
          out << token.text;
        }
      }
    }
    out << text_.trailing;
  }

 private:
  /// After a blank, because the colon of a label may come before it.
  static void put(std::ostream& out, const std::string& text) {
    if (text.starts_with("::")) out << ' ';
    out << text;
  }

  struct Edit {
    std::string before;
    std::string replacement;
    bool is_replaced = false;
  };

  TokenizedText text_;
  std::vector<std::size_t> closing_;
  Outline outline_;
  std::unordered_map<std::size_t, Edit> edits_;
};

/// The tokens [begin, end) on one line, with a blank wherever there was space.
std::string join(const std::vector<Token>& tokens, std::size_t begin, std::size_t end);

}  // namespace tilelab::rewriter
