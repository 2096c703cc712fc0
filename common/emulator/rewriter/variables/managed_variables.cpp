#include "variables/managed_variables.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

class ManagedVariables {
 public:
  explicit ManagedVariables(EditedText& text)
      : text_(text), tokens_(text.tokens()), closing_(text.closing()) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is("__managed__") && !is_declared_elsewhere(i)) list(i);
    }
  }

 private:
  bool is_declared_elsewhere(std::size_t word) const {
    for (std::size_t i = word; i > 0; --i) {
      const Token& token = tokens_[i - 1];
      if (token.is(";") || token.is("{") || token.is("}")) return false;
      if (token.is("extern")) return true;
    }
    return false;
  }

  /// Adds entries after the declaration that the word begins.
  void list(std::size_t word) {
    std::string entries;
    std::string_view name;
    bool is_complete = false;  // whether the name is known, and more of its declarator follows
    std::size_t i = word + 1;
    for (; i < tokens_.size() && !tokens_[i].is(";"); ++i) {
      const Token& token = tokens_[i];
      if (token.is(",")) {
        entries += entry_of(name);
        is_complete = false;
      } else if (token.is("=")) {
        is_complete = true;
      } else if (token.is("(") || token.is("[") || token.is("{")) {
        is_complete = true;
        i = std::max(i, closing_[i]);  // 0 if nothing closes it
      } else if (token.is("<") && !is_complete) {
        i = std::max(i, after_template_arguments(tokens_, closing_, i) - 1);
      } else if (token.kind == Kind::identifier && !is_complete) {
        name = token.text;
      }
    }
    if (i < tokens_.size()) text_.replace(i, ";" + entries + entry_of(name));
  }

  static std::string entry_of(std::string_view name) {
    const std::string text(name);
    return " __attribute__((section(\"tilelab_managed\"), used)) static "
           "::tilelab::emulator::ManagedVariable tilelab_managed_" +
           text + " = {&" + text + ", sizeof " + text + "};";
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
  const std::vector<std::size_t>& closing_;
};

}  // namespace

void list_managed_variables(EditedText& text) { ManagedVariables(text).run(); }

}  // namespace tilelab::rewriter
