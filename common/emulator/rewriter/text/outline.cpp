#include "text/outline.h"

#include <algorithm>
#include <utility>

namespace tilelab::rewriter {
namespace {

bool begins_class(const Token& token) { return token.is_any({"struct", "class", "union"}); }

/// A word whose parentheses say nothing about the declaration around it.
bool has_own_parentheses(const Token& token) {
  return token.is_any(
      {"__attribute__", "alignas", "decltype", "noexcept", "explicit", "__typeof__", "typeof"});
}

/// What the tokens of one declaration have told so far.
struct Head {
  std::size_t begin = 0;
  Spaces said;
  std::size_t parameters = nowhere;  ///< The parenthesis before a function's parameters.
  std::size_t name = nowhere;        ///< The last identifier that can be the declared name.
  std::size_t class_word = nowhere;
  std::size_t class_name = nowhere;
  std::size_t operator_word = nowhere;
  bool has_words = false;
  bool is_ignored = false;  ///< It declares no function and no variable.
  bool is_namespace = false;
  bool is_enum = false;
  bool is_linkage = false;  ///< extern "C"
  bool has_initializer = false;
  bool is_defaulted = false;
  bool has_member_initializers = false;
  bool is_constant = false;
  bool is_array = false;
  bool is_static = false;
  std::size_t space_word = nowhere;
};

class Reader {
 public:
  explicit Reader(const std::vector<Token>& tokens)
      : tokens_(tokens), closing_(closing_brackets(tokens)) {}

  Outline run() {
    read_scope(0, tokens_.size());
    return std::move(outline_);
  }

 private:
  // Deeper classes and namespaces are an attack on this program.
  static constexpr int deepest_ = 64;

  bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }

  void read_scope(std::size_t begin, std::size_t end) {
    if (depth_ == deepest_) return;
    ++depth_;
    for (std::size_t i = begin; i < end;) {
      i = tokens_[i].is_user_code ? read_declaration(i, end) : i + 1;
    }
    --depth_;
  }

  void read_class(std::string_view name, std::size_t begin, std::size_t end) {
    const std::string_view outer = class_name_;
    class_name_ = name;
    read_scope(begin, end);
    class_name_ = outer;
  }

  /// After the bracket that closes the one at `open`.
  std::size_t after(std::size_t open) const {
    return closing_[open] == 0 ? tokens_.size() : closing_[open] + 1;
  }

  /// Returns where the next declaration begins.
  std::size_t read_declaration(std::size_t begin, std::size_t end) {
    Head head;
    head.begin = begin;
    for (std::size_t i = begin; i < end;) {
      const Token& token = tokens_[i];
      if (token.is(";") || token.is("}")) {
        if (!head.is_ignored) note(head, i + 1, false);
        return i + 1;
      }
      if (token.is("{")) {
        if (!head.is_ignored && ends_with_body(head, i)) return read_body(head, i);
        i = after(i);
      } else {
        i = read_head(head, i);
      }
    }
    return end;
  }

  /// Reads a token of a declaration that is neither its body nor its end. Returns the next one.
  std::size_t read_head(Head& head, std::size_t i) {
    const Token& token = tokens_[i];
    if (token.is_any({"public", "private", "protected"}) && is(i + 1, ":")) return i + 2;
    if (token.is("template") && is(i + 1, "<")) {
      return std::max(i + 2, after_template_arguments(tokens_, closing_, i + 1));
    }
    if (has_own_parentheses(token) && is(i + 1, "(")) return after(i + 1);
    if (token.is("(")) return read_parenthesis(head, i);
    if (token.is("[")) {
      head.is_array = head.is_array || !head.has_initializer;
      return after(i);
    }
    if (token.is("<")) return std::max(i + 1, after_template_arguments(tokens_, closing_, i));
    const bool is_operator = head.operator_word != nowhere && head.parameters == nowhere;
    if (token.is("=") && !is_operator) {
      head.has_initializer = true;
      head.is_defaulted = is(i + 1, "default") || is(i + 1, "delete");
    }
    if (token.is(":") && head.parameters != nowhere) head.has_member_initializers = true;
    if (token.is(",") && head.parameters == nowhere) note_variable(head);
    if (token.kind == Kind::identifier) read_word(head, i);
    if (token.kind == Kind::literal && is(i - 1, "extern")) head.is_linkage = true;
    return i + 1;
  }

  static bool follows_operator(const Head& head, std::size_t i) {
    return head.operator_word != nowhere && head.operator_word + 1 == i;
  }

  std::size_t read_parenthesis(Head& head, std::size_t i) {
    if (follows_operator(head, i) && is(i + 1, ")")) return i + 2;
    if (head.parameters == nowhere && !head.has_initializer) {
      head.parameters = i;
      const bool follows_name =
          i > 0 && (is(i - 1, ">") || tokens_[i - 1].kind == Kind::identifier);
      // Parentheses around a declarator: a pointer to a function, for example.
      if (!follows_name && head.operator_word == nowhere) head.name = nowhere;
    }
    return after(i);
  }

  void read_word(Head& head, std::size_t i) {
    const Token& token = tokens_[i];
    // Of a template, too.
    if (!head.has_words) {
      head.is_ignored = token.is_any({"using", "typedef", "static_assert", "friend", "concept"});
    }
    head.has_words = true;
    if (token.is("__host__")) head.said.host = true;
    if (token.is("__device__")) head.said.device = true;
    if (token.is("__global__")) head.said.kernel = true;
    // It runs in the compiler, for both.
    if (token.is("consteval")) head.said.host = head.said.device = true;
    if (token.is("namespace")) head.is_namespace = true;
    if (token.is("enum")) head.is_enum = true;
    if (token.is("const") || token.is("constexpr")) head.is_constant = true;
    if (token.is("static")) head.is_static = true;
    if (token.is_any({"__device__", "__constant__", "__managed__"}) || is_shared_word(token)) {
      head.space_word = i;
    }
    if (token.is("operator")) head.operator_word = i;
    if (begins_class(token)) {
      head.class_word = i;
    } else if (head.class_word != nowhere && head.class_name == nowhere) {
      head.class_name = i;
    }
    if (head.parameters == nowhere && !head.has_initializer) head.name = i;
  }

  /// Whether the `{` at `i` opens a scope or the body of a function, and no initializer.
  bool ends_with_body(const Head& head, std::size_t i) const {
    if (head.is_namespace || (head.is_linkage && head.parameters == nowhere)) return true;
    if (head.is_enum || head.has_initializer) return false;
    if (head.parameters == nowhere) return head.class_word != nowhere;
    const bool initializes_member =
        head.has_member_initializers && (tokens_[i - 1].kind == Kind::identifier || is(i - 1, ">"));
    return !initializes_member;
  }

  std::size_t read_body(const Head& head, std::size_t open) {
    const std::size_t end = after(open);
    if (head.parameters != nowhere) {
      note(head, end, true);
    } else if (head.class_name != nowhere && !head.is_namespace && !head.is_linkage) {
      read_class(tokens_[head.class_name].text, open + 1, end - 1);
    } else {
      read_scope(open + 1, end - 1);
    }
    return end;
  }

  void note(const Head& head, std::size_t end, bool has_body) {
    if (head.parameters == nowhere) return note_variable(head);
    if (head.name == nowhere) return;
    const bool is_destructor = head.name > 0 && tokens_[head.name - 1].is("~");
    std::string_view name = tokens_[head.name].text;
    if (head.operator_word != nowhere || is_destructor) name = "operator";
    Spaces spaces = head.said;
    if (!spaces.device && !spaces.kernel) spaces.host = true;
    if (head.is_defaulted) spaces.host = spaces.device = true;
    outline_.functions.push_back(
        {name, head.name, spaces, class_name_, head.begin, head.parameters, end, has_body});
  }

  void note_variable(const Head& head) {
    const bool is_other = head.is_ignored || head.is_namespace || head.is_enum ||
                          head.class_word != nowhere || head.operator_word != nowhere;
    if (head.name == nowhere || is_other) return;
    (class_name_.empty() ? outline_.variables : outline_.members)
        .push_back({tokens_[head.name].text, head.space_word, head.is_constant, head.is_array,
                    head.is_static});
  }

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> closing_;
  Outline outline_;
  std::string_view class_name_;
  int depth_ = 0;
};

}  // namespace

Outline outline_of(const std::vector<Token>& tokens) { return Reader(tokens).run(); }

bool is_template(const std::vector<Token>& tokens, const Function& function) {
  return tokens[function.head].is("template");
}

std::vector<std::size_t> closing_brackets(const std::vector<Token>& tokens) {
  std::vector<std::size_t> closing(tokens.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Kind::punctuator) continue;
    if (token.is_any({"(", "[", "{"})) open.push_back(i);
    if (token.is_any({")", "]", "}"}) && !open.empty()) {
      closing[open.back()] = i;
      open.pop_back();
    }
  }
  return closing;
}

std::vector<std::size_t> opening_brackets(const std::vector<std::size_t>& closing) {
  std::vector<std::size_t> opening(closing.size(), nowhere);
  for (std::size_t i = 0; i < closing.size(); ++i) {
    if (closing[i] != 0) opening[closing[i]] = i;
  }
  return opening;
}

std::size_t after_template_arguments(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& closing, std::size_t open) {
  // Longer arguments than this are an attack on this program.
  constexpr std::size_t most_tokens = 100;
  int depth = 0;
  std::size_t i = open;
  for (std::size_t steps = 0; steps < most_tokens && i < tokens.size(); ++steps) {
    const Token& token = tokens[i];
    if (token.is_any({";", "{", "}", ")", "]"})) return open;
    if (token.is("(") || token.is("[")) {
      if (closing[i] == 0) return open;
      i = closing[i];
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is(">") && --depth == 0) {
      return i + 1;
    }
    ++i;
  }
  return open;
}

}  // namespace tilelab::rewriter
