#include "variables/constructors.h"

#include <algorithm>
#include <string_view>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

/// Classes that hold each other deeper than this are an attack on this program.
constexpr int deepest = 16;

bool is_class_word(const Token& token) { return token.is_any({"struct", "class"}); }

/// A word that begins a member which no constructor sets.
bool begins_no_variable(const Token& token) {
  return token.is_any({"static", "using", "typedef", "friend", "enum", "template", "static_assert",
                       "struct", "class", "union"});
}

}  // namespace

void Constructors::Parts::add(Work work) {
  has_unset = has_unset || work <= Work::empty;
  has_empty = has_empty || work == Work::empty;
  has_constant = has_constant || work == Work::constant;
  has_dynamic = has_dynamic || work == Work::dynamic;
}

Constructors::Work Constructors::Parts::sum() const {
  if (has_dynamic || own == Work::dynamic) return Work::dynamic;
  if (own == Work::constant) return Work::constant;
  if (has_constant) return has_unset || !is_implicit ? Work::dynamic : Work::constant;
  return has_empty || !is_implicit ? Work::empty : Work::nothing;
}

Constructors::Constructors(const std::vector<Token>& tokens)
    : tokens_(tokens), closing_(closing_brackets(tokens)) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens[i].is_user_code) continue;
    if (is_class_word(tokens[i])) read_class(i);
    const bool is_alias = tokens[i].is("using") && tokens[i + 2].is("=");
    if (is_alias) aliases_[tokens[i + 1].text] = tokens[i + 3].text;
  }
}

void Constructors::read_class(std::size_t word) {
  constexpr std::size_t longest_head = 100;
  const std::size_t name = word + 1;
  // template <class T>, enum class
  const bool is_other = word > 0 && tokens_[word - 1].is_any({"<", ",", "enum"});
  if (is_other || tokens_[name].kind != Kind::identifier) return;
  for (std::size_t i = name + 1; i < std::min(tokens_.size(), name + longest_head); ++i) {
    if (tokens_[i].is_any({";", "(", ")", "=", "*", "&"})) return;
    if (!tokens_[i].is("{")) continue;
    if (closing_[i] != 0) classes_[tokens_[name].text] = {tokens_[name].text, name + 1, i};
    return;
  }
}

bool Constructors::are_expected() const {
  return std::ranges::any_of(tokens_, [](const Token& token) {
    return token.leading.find("static_var_with_dynamic_init") != std::string_view::npos ||
           token.leading.find("diag_suppress 20054") != std::string_view::npos;
  });
}

/// What the type takes that is named there. A pointer takes nothing, and template arguments are not
/// members.
Constructors::Work Constructors::work_of_type(std::size_t begin, std::size_t end, int depth) const {
  Work result = Work::nothing;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].is_any({"*", "&", "("})) return Work::nothing;
    if (tokens_[i].is("<")) {
      i = std::max(i, after_template_arguments(tokens_, closing_, i) - 1);
    } else if (tokens_[i].kind == Kind::identifier) {
      result = std::max(result, work_of_class(tokens_[i].text, depth + 1));
    }
  }
  return result;
}

Constructors::Work Constructors::work_of_class(std::string_view name, int depth) const {
  if (depth > deepest) return Work::nothing;
  const auto alias = aliases_.find(name);
  if (alias != aliases_.end()) return work_of_class(alias->second, depth + 1);
  const auto found = classes_.find(name);
  if (found == classes_.end()) return Work::nothing;
  const Class& one = found->second;
  Parts parts;
  if (one.head < one.open) parts.add(work_of_type(one.head, one.open, depth));
  const std::size_t end = closing_[one.open];
  for (std::size_t begin = one.open + 1; begin < end;) {
    if (tokens_[begin].is_any({"public", "private", "protected"})) {
      begin += 2;
      continue;
    }
    const std::size_t next = end_of_member(begin, end);
    add_member(one, begin, next, depth, parts);
    begin = next;
  }
  return parts.sum();
}

/// After the `;` or the body of the member that begins there.
std::size_t Constructors::end_of_member(std::size_t begin, std::size_t end) const {
  bool has_parameters = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].is(";")) return i + 1;
    has_parameters = has_parameters || tokens_[i].is("(");
    // : member{value}
    const bool sets_member = i > begin + 1 && tokens_[i - 1].kind == Kind::identifier &&
                             tokens_[i - 2].is_any({":", ","});
    const bool is_body = has_parameters && tokens_[i].is("{") && !sets_member;
    if (tokens_[i].is_any({"(", "[", "{"}) && closing_[i] != 0) i = closing_[i];
    if (is_body) return i + 1;
  }
  return end;
}

void Constructors::add_member(const Class& one, std::size_t begin, std::size_t end, int depth,
                              Parts& parts) const {
  if (tokens_[begin].is(";") || begins_no_variable(tokens_[begin])) return;
  bool is_array = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].is("virtual")) parts.has_dynamic = true;
    if (tokens_[i].is("static") || tokens_[i].is("operator")) return;
    if (tokens_[i].is_any({"__attribute__", "alignas"}) && closing_[i + 1] != 0) {
      i = closing_[i + 1];
    } else if (tokens_[i].is("(")) {
      return add_function(one, begin, i, end, parts);
    } else if (tokens_[i].is("=") || tokens_[i].is("{")) {
      return parts.add(Work::constant);
    } else if (tokens_[i].is(",")) {
      parts.add(Work::nothing);
    } else if (tokens_[i].is("[")) {
      is_array = true;
    } else if (tokens_[i].is("<")) {
      i = std::max(i, after_template_arguments(tokens_, closing_, i) - 1);
    }
  }
  const Work work = work_of_type(begin, end, depth);
  // nvcc is generous with arrays.
  parts.add(is_array && work == Work::constant ? Work::empty : work);
}

void Constructors::add_function(const Class& one, std::size_t begin, std::size_t open,
                                std::size_t end, Parts& parts) const {
  if (open == begin || !tokens_[open - 1].is(one.name)) return;
  const Work body = work_of_body(open, end);
  if (open > begin + 1 && tokens_[open - 2].is("~")) {
    if (body == Work::dynamic) parts.has_dynamic = true;
    return;
  }
  const bool is_defaulted = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(open),
                                        tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                                        [](const Token& token) { return token.is("default"); });
  if (needs_arguments(open) || is_defaulted) return;
  parts.is_implicit = false;
  const bool is_constant = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       tokens_.begin() + static_cast<std::ptrdiff_t>(open),
                                       [](const Token& token) { return token.is("constexpr"); });
  parts.own = is_constant ? Work::constant : has_arguments(open) ? Work::dynamic : body;
}

/// What the function does whose parameters begin there, and which ends before `end`.
Constructors::Work Constructors::work_of_body(std::size_t open, std::size_t end) const {
  for (std::size_t i = closing_[open] + 1; i < end; ++i) {
    if (tokens_[i].is("=")) return Work::nothing;
    if (tokens_[i].is(":")) return Work::dynamic;
    if (tokens_[i].is(";")) {
      return is_defined_empty(tokens_[open - 1].text) ? Work::nothing : Work::dynamic;
    }
    if (tokens_[i].is("{")) return closing_[i] == i + 1 ? Work::nothing : Work::dynamic;
  }
  return Work::nothing;
}

/// Whether `name::name() {}` follows somewhere.
bool Constructors::is_defined_empty(std::string_view name) const {
  constexpr std::size_t length = 7;
  for (std::size_t i = 0; i + length <= tokens_.size(); ++i) {
    if (tokens_[i].is(name) && tokens_[i + 1].is("::") && tokens_[i + 2].is(name) &&
        tokens_[i + 3].is("(") && tokens_[i + 4].is(")") && tokens_[i + 5].is("{")) {
      return tokens_[i + 6].is("}");
    }
  }
  return false;
}

bool Constructors::has_arguments(std::size_t open) const {
  const std::size_t close = closing_[open];
  return close != open + 1 && !(close == open + 2 && tokens_[open + 1].is("void"));
}

/// Whether some parameter has no value of its own.
bool Constructors::needs_arguments(std::size_t open) const {
  if (!has_arguments(open)) return false;
  bool has_value = false;
  for (std::size_t i = open + 1; i < closing_[open]; ++i) {
    if (tokens_[i].is("=")) has_value = true;
    if (tokens_[i].is(",") && !has_value) return true;
  }
  return !has_value;
}

}  // namespace tilelab::rewriter
