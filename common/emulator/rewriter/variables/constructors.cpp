#include "variables/constructors.h"

#include <algorithm>
#include <string_view>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

/// Classes that hold each other deeper than this are an attack on this program.
constexpr int deepest = 16;

bool is_class_word(const Token& token) { return token.is_any({"struct", "class"}); }

/// A word before a type.
bool precedes_type(const Token& token) {
  return is_shared_word(token) ||
         token.is_any({"const", "volatile", "static", "extern", "inline", "__constinit", "typename",
                       "public", "private", "protected", "virtual", "struct", "class", "union"});
}

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
    : tokens_(tokens), closing_(closing_brackets(tokens)), scopes_(tokens, closing_) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens[i].is_user_code) continue;
    if (is_class_word(tokens[i])) read_class(i);
    if (tokens[i].is("using")) read_using(i);
  }
}

/// The end of the statement that the token is in.
std::size_t Constructors::end_of_statement(std::size_t token) const {
  constexpr std::size_t longest = 100;
  const std::size_t most = std::min(tokens_.size(), token + longest);
  while (token < most && !tokens_[token].is(";")) ++token;
  return token;
}

/// `using name = type;`, `using namespace name;` or `using space::name;`.
void Constructors::read_using(std::size_t word) {
  const std::size_t end = end_of_statement(word);
  const std::string_view name = tokens_[word + 1].text;
  if (tokens_[word + 2].is("=")) {
    classes_.insert({name, {name, scopes_.scope_of(word), word + 3, end, true}});
  } else if (tokens_[word + 1].is("namespace")) {
    used_namespaces_.insert(tokens_[end - 1].text);
  } else if (tokens_[end - 2].is("::")) {
    const std::string_view last = tokens_[end - 1].text;
    classes_.insert({last, {last, scopes_.scope_of(word), word + 1, end, true}});
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
    const std::string_view text = tokens_[name].text;
    if (closing_[i] != 0) classes_.insert({text, {text, scopes_.scope_of(word), name + 1, i}});
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
    } else if (tokens_[i].kind == Kind::identifier && !tokens_[i + 1].is("::")) {
      result = std::max(result, work_of_name(i, depth + 1));
    }
  }
  return result;
}

/// What the class takes that is named there. If it is not known which of several classes that is,
/// nothing is said of its constructor.
Constructors::Work Constructors::work_of_name(std::size_t name, int depth) const {
  if (depth > deepest) return Work::nothing;
  const std::vector<const Class*> classes = classes_named(name);
  Work result = Work::nothing;
  for (const Class* const one : classes) result = std::max(result, work_of_class(*one, depth));
  return classes.size() > 1 ? std::min(result, Work::empty) : result;
}

/// What is said before a name: a::b of a::b::name. It begins with "" if the name begins with `::`.
Scope Constructors::said_before(std::size_t name) const {
  Scope said;
  while (name > 1 && tokens_[name - 1].is("::")) {
    const Token& before = tokens_[name - 2];
    const bool is_scope = before.kind == Kind::identifier && !precedes_type(before);
    said.insert(said.begin(), std::string(is_scope ? before.text : ""));
    if (!is_scope) break;
    name -= 2;
  }
  return said;
}

/// The class that the name means at its place. Several if that is not clear.
std::vector<const Constructors::Class*> Constructors::classes_named(std::size_t name) const {
  Scope said = said_before(name);
  const bool is_qualified = !said.empty();
  Scope around = scopes_.scope_of(name);
  if (is_qualified && said.front().empty()) {
    said.erase(said.begin());
    around.clear();
  }
  const auto [begin, end] = classes_.equal_range(tokens_[name].text);
  for (;; around.pop_back()) {  // from the inside to the outside
    Scope wanted = around;
    wanted.insert(wanted.end(), said.begin(), said.end());
    for (auto one = begin; one != end; ++one) {
      if (one->second.scope == wanted) return {&one->second};
    }
    if (around.empty()) break;
  }
  std::vector<const Class*> used, others;
  for (auto one = begin; one != end; ++one) {
    const Scope& scope = one->second.scope;
    if (scope.empty()) continue;
    const bool is_in_class = classes_.contains(scope.back());
    if (!is_qualified && used_namespaces_.contains(scope.back())) used.push_back(&one->second);
    if (is_qualified || is_in_class) others.push_back(&one->second);
  }
  return used.empty() ? others : used;
}

Constructors::Work Constructors::work_of_class(const Class& one, int depth) const {
  if (one.is_alias) return work_of_type(one.head, one.open, depth + 1);
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
  const Work body = work_of_body(one, open, end);
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
Constructors::Work Constructors::work_of_body(const Class& one, std::size_t open,
                                              std::size_t end) const {
  for (std::size_t i = closing_[open] + 1; i < end; ++i) {
    if (tokens_[i].is("=")) return Work::nothing;
    if (tokens_[i].is(":")) return Work::dynamic;
    if (tokens_[i].is(";")) {
      return is_defined_empty(one) ? Work::nothing : Work::dynamic;
    }
    if (tokens_[i].is("{")) return closing_[i] == i + 1 ? Work::nothing : Work::dynamic;
  }
  return Work::nothing;
}

/// Whether `name::name() {}` follows somewhere.
bool Constructors::is_defined_empty(const Class& one) const {
  const std::string_view name = one.name;
  constexpr std::size_t length = 7;
  for (std::size_t i = 0; i + length <= tokens_.size(); ++i) {
    if (tokens_[i].is(name) && tokens_[i + 1].is("::") && tokens_[i + 2].is(name) &&
        tokens_[i + 3].is("(") && tokens_[i + 4].is(")") && tokens_[i + 5].is("{") &&
        classes_named(i) == std::vector{&one}) {
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
