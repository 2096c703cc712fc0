#include "execution_spaces.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "library_names.h"
#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

bool is_space_word(const Token& token) {
  return token.is_any({"__global__", "__device__", "__host__", "__constant__", "__managed__"});
}

/// A keyword that can come right before an expression. Any other word there is a type.
bool precedes_expression(const Token& token) {
  return token.is_any({"return", "else", "do", "case", "throw", "co_return", "co_yield", "and",
                       "or", "not", "xor", "goto"});
}

template <std::size_t count>
bool lists(const std::string_view (&names)[count], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// CUDA's functions that only device code may call.
bool is_device_function(std::string_view name) {
  if (lists(library::names_for_both, name)) return false;
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::ranges::any_of(library::device_prefixes, begins) ||
         lists(library::device_functions, name);
}

class SpaceRules {
 public:
  SpaceRules(const EditedText& text, bool has_lambdas, Diagnostics& diagnostics)
      : tokens_(text.tokens()),
        has_lambdas_(has_lambdas),
        diagnostics_(diagnostics),
        closing_(text.closing()),
        outline_(text.outline()) {
    for (const Function& function : outline_.functions) {
      if (function.name == "operator") continue;
      add(function.class_name.empty() ? spaces_[function.name] : member_spaces_[function.name],
          function.spaces);
      if (!function.class_name.empty()) {
        add(spaces_of_class_[{function.class_name, function.name}], function.spaces);
      }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i + 1, "(") && i > 0 && tokens_[i - 1].kind == Kind::identifier &&
          declares_for_both(tokens_[i])) {
        library_names_.insert(tokens_[i].text);
      }
      if (tokens_[i].is_user_code && tokens_[i].is("namespace") && is(i + 2, "{")) {
        own_namespaces_.insert(tokens_[i + 1].text);
      }
    }
    for (const Variable& variable : outline_.variables) {
      const bool is_lost_on_device =
          !variable.is_on_device() && (!variable.is_constant || variable.is_array);
      if (is_lost_on_device) host_variables_[variable.name] = &variable;
    }
  }

  void run() {
    for (const Function& function : outline_.functions) check(function);
    for (const Variable& member : outline_.members) {
      if (member.is_on_device()) check_member(member);
    }
  }

 private:
  void error(std::size_t token, const std::string& sentence) {
    diagnostics_.error(tokens_[token].file, tokens_[token].line, sentence);
  }

  bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }

  static void add(Spaces& all, const Spaces& one) {
    all.host = all.host || one.host;
    all.device = all.device || one.device;
    all.kernel = all.kernel || one.kernel;
  }

  /// Whether a function's name comes from a header whose functions host and device code may call,
  /// so that the program's function of the same name is an overload.
  static bool declares_for_both(const Token& token) {
    if (token.is_user_code || token.kind != Kind::identifier) return false;
    return std::ranges::any_of(library::headers_for_both, [&](std::string_view header) {
      return token.file.find(header) != std::string_view::npos;
    });
  }

  void check(const Function& function) {
    if (function.spaces.kernel && !function.class_name.empty()) {
      error(function.name_token, "the kernel " + std::string(function.name) +
                                     " is a member of a class: define it outside of classes");
    }
    if (!function.has_body) return;
    // A class inside of a function can have functions for the device.
    has_own_spaces_ = false;
    locals_.clear();
    for (std::size_t i = function.begin; i < function.end; ++i) {
      has_own_spaces_ = has_own_spaces_ || is_space_word(tokens_[i]);
    }
    for (std::size_t i = function.begin; i < function.end; ++i) {
      if (tokens_[i].is_user_code && tokens_[i].kind == Kind::identifier) {
        check_word(function, i);
      }
    }
  }

  void check_member(const Variable& member) const {
    const Token& word = tokens_[member.space_word];
    const std::string name(is_shared_word(word) ? "__shared__" : word.text);
    if (member.is_static) {
      diagnostics_.error(
          word.file, word.line,
          "a member of a class cannot be " + name + ": declare the variable outside of the class");
    } else {
      Diagnostics::warning(word.file, word.line,
                           name +
                               " does not apply to a member of an object, which is where the "
                               "object is");
    }
  }

  /// Refuses a local variable with this word. A static one is allowed in device code.
  void check_local(const Function& function, std::size_t word) {
    std::size_t begin = word;
    while (begin > function.begin && !tokens_[begin - 1].is_any({";", "{", "}"})) --begin;
    bool is_allowed = false;
    for (std::size_t i = begin; i < function.end; ++i) {
      if (is(i, "__attribute__") || is(i, "alignas")) {
        i = std::max(i, closing_[i + 1]);
        continue;
      }
      // A function of a local class.
      if (is(i, "(") || is(i, "operator")) return;
      if (tokens_[i].is_any({";", "=", "{", "["})) break;
      is_allowed = is_allowed || is(i, "extern") || (is(i, "static") && function.is_device_code());
    }
    if (is_allowed) return;
    error(word, "a local variable cannot be " + std::string(tokens_[word].text) +
                    ": declare it outside of the function");
  }

  void check_word(const Function& function, std::size_t i) {
    const Token& token = tokens_[i];
    if (is_space_word(token) && is(i - 1, "]") && !has_lambdas_) {
      error(i, "a lambda may not be " + std::string(token.text) +
                   ": write a function, or a struct with an operator()");
    }
    if (is_shared_word(token)) check_shared(function, i);
    const bool is_of_lambda = is(i - 1, "]") || (is(i - 1, "__host__") && is(i - 2, "]"));
    if (token.is_any({"__constant__", "__managed__", "__device__"}) && !is_of_lambda) {
      check_local(function, i);
    }
    const std::size_t after_name = end_of_name(i);
    if (is_launch(after_name)) {
      check_launch(function, i);
    } else if (is(after_name, "(")) {
      check_call(function, i);
    }
    if (function.is_device_code()) check_variable(function, i);
  }

  /// After a name and its template arguments, if they belong to a launch or a call.
  std::size_t end_of_name(std::size_t i) const {
    if (!is(i + 1, "<") || is_launch(i + 1)) return i + 1;
    return std::max(i + 1, after_template_arguments(tokens_, closing_, i + 1));
  }

  bool is_launch(std::size_t i) const { return is(i, "<") && is(i + 1, "<") && is(i + 2, "<"); }

  /// Whether the name at `i` begins a member's initializer, before the body of a constructor.
  bool initializes_member(const Function& function, std::size_t i) const {
    std::size_t at = closing_[function.begin] + 1;
    while (at < i && !tokens_[at].is_any({":", "{", ";"})) ++at;
    while (at < i && tokens_[at].is_any({":", ","})) {
      if (++at == i) return true;
      while (at < i && closing_[at] == 0) ++at;
      if (at == i) return false;
      at = closing_[at] + 1;
    }
    return false;
  }

  bool is_member(std::size_t i) const { return is(i - 1, ".") || is(i - 1, "->"); }

  /// Whether a declaration, and no expression, ends with the name at `i`.
  bool is_declared_at(std::size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens_[i - 1];
    if (before.kind == Kind::identifier) return !precedes_expression(before);
    // int first, second;
    if (before.is(",") && !is(i + 1, "(") && !is_in_parentheses(i)) return true;
    const bool follows_type = before.is_any({"*", "&", ">"});
    return follows_type && !is(i + 1, "(") && !is(i + 1, "<");
  }

  /// Whether the statement's beginning is outside of parentheses that are still open at `i`.
  bool is_in_parentheses(std::size_t i) const {
    int depth = 0;
    while (i-- > 0) {
      const Token& token = tokens_[i];
      if (token.is_any({";", "{", "}"})) return false;
      if (token.is(")") || token.is("]")) ++depth;
      if ((token.is("(") || token.is("[")) && --depth < 0) return true;
    }
    return false;
  }

  /// Whether a parameter or local variable may have this name.
  bool is_local(const Function& function, std::string_view name) {
    const auto [known, is_new] = locals_.try_emplace(name, false);
    if (is_new) known->second = declares(function, name);
    return known->second;
  }

  bool declares(const Function& function, std::string_view name) const {
    for (std::size_t i = function.head; i < function.end; ++i) {
      if (i == function.name_token) continue;
      if (tokens_[i].is(name) && is_declared_at(i)) return true;
      // auto [name, ...]
      if (tokens_[i].is(name) && (is(i - 1, "[") || is(i - 1, ",")) &&
          (is(i + 1, ",") || is(i + 1, "]"))) {
        return true;
      }
    }
    return false;
  }

  template <class Map>
  static const Spaces* look_up(const Map& map, const typename Map::key_type& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
  }

  const Spaces* spaces_of(std::string_view name) const { return look_up(spaces_, name); }

  /// Where the functions may run that the call at `i` can mean. Types and namespaces are unknown
  /// here, so that many calls have no answer.
  std::optional<Spaces> callable(const Function& function, std::size_t i) const {
    const std::string_view name = tokens_[i].text;
    const auto copy = [](const Spaces* found) {
      return found != nullptr ? std::optional(*found) : std::nullopt;
    };
    if (is_member(i)) {
      // The object's class can be one of a header.
      return lists(library::common_members, name) ? std::nullopt
                                                  : copy(look_up(member_spaces_, name));
    }
    if (is(i - 1, "::") && i > 1 && tokens_[i - 2].kind == Kind::identifier) {
      if (own_namespaces_.contains(tokens_[i - 2].text)) return copy(spaces_of(name));
      return copy(look_up(spaces_of_class_, {tokens_[i - 2].text, name}));
    }
    Spaces all;
    const Spaces* const own = look_up(spaces_of_class_, {function.class_name, name});
    if (!function.class_name.empty() && own != nullptr) add(all, *own);
    if (const Spaces* const free = spaces_of(name)) {
      if (library_names_.contains(name)) return std::nullopt;
      add(all, *free);
    }
    if (!all.host && !all.device && !all.kernel) {
      // A constructor, or a function that a class inherits.
      return copy(look_up(spaces_of_class_, {name, name}));
    }
    return all;
  }

  void check_shared(const Function& function, std::size_t i) {
    const bool is_external = is(i - 1, "extern") || is(i - 2, "extern") || is(i + 1, "extern");
    if (!function.is_host_code() || has_own_spaces_ || is_external) return;
    error(i, "a __shared__ variable belongs to a block, and " + std::string(function.name) +
                 " runs on the host: is its __global__ or __device__ missing?");
  }

  void check_launch(const Function& function, std::size_t i) {
    const std::string name(tokens_[i].text);
    if (function.is_device_code()) {
      error(i, name + " is launched by device code: launch kernels from host functions");
      return;
    }
    const Spaces* spaces = is_member(i) ? nullptr : spaces_of(tokens_[i].text);
    if (spaces == nullptr || spaces->kernel || is_local(function, tokens_[i].text)) return;
    error(i, name + " is launched like a kernel, but it is none: is its __global__ missing?");
  }

  void check_call(const Function& function, std::size_t i) {
    const Token& token = tokens_[i];
    if (!is_member(i) && is_declared_at(i)) return;
    if (is_in_cuda_std(i) || initializes_member(function, i)) return;
    if (is(i - 1, "::") && is(i - 2, "std")) return check_standard_call(function, i);
    const std::string name(token.text);
    const std::optional<Spaces> spaces = callable(function, i);
    if (!spaces) return check_library_call(function, i);
    if (is_local(function, token.text)) return;
    if (spaces->kernel && !spaces->host && !spaces->device) {
      // A kernel may call device functions, and no kernels.
      error(i, function.is_device_code()
                   ? "device code cannot call " + name +
                         ", which is a kernel: a function that kernels call is __device__, not "
                         "__global__"
                   : "the kernel " + name + " is called like a function: launch it with " + name +
                         "<<<blocks, threads>>>(...)");
    } else if (function.is_device_code() && !spaces->device) {
      error(i, "device code cannot call " + name +
                   ", which is a host function: is its __device__ missing?");
    } else if (function.is_host_code() && !has_own_spaces_ && !spaces->host) {
      error(i, "host code cannot call " + name +
                   ", which is a device function: call it from a kernel, or declare it __host__ "
                   "as well");
    }
  }

  /// Whether the name belongs to `cuda::std`, which host and device code may use.
  bool is_in_cuda_std(std::size_t i) const {
    return i > 3 && is(i - 1, "::") && is(i - 2, "std") && is(i - 3, "::") && is(i - 4, "cuda");
  }

  void check_standard_call(const Function& function, std::size_t i) {
    if (!function.is_device_code() || !lists(library::standard_host_functions, tokens_[i].text)) {
      return;
    }
    error(i, "device code cannot call std::" + std::string(tokens_[i].text) +
                 ", which is a host function: write the expression, or use CUDA's own function");
  }

  void check_library_call(const Function& function, std::size_t i) {
    const Token& token = tokens_[i];
    const std::string name(token.text);
    if (is_member(i)) return;
    if (function.is_device_code() && lists(library::host_functions, token.text) &&
        !is(i - 1, "::")) {
      error(i, "device code cannot call " + name + ", which is a host function");
    }
    const bool is_numeric_limit = is(i - 1, "::") && is(i - 2, ">") && names_limits(i - 2);
    if (function.is_device_code() && is_numeric_limit) {
      error(i,
            "device code cannot call std::numeric_limits, whose functions are host functions: "
            "use a constant of <cfloat> or <climits>");
    }
    if (function.is_host_code() && !has_own_spaces_ && is_device_function(token.text)) {
      error(i, "host code cannot call " + name + ": is the __global__ or __device__ of " +
                   std::string(function.name) + " missing?");
    }
  }

  /// Whether the `>` at `close` ends the arguments of std::numeric_limits.
  bool names_limits(std::size_t close) const {
    constexpr std::size_t longest = 8;
    for (std::size_t i = close; i > 0 && close - i < longest; --i) {
      if (tokens_[i].is("numeric_limits")) return !is_in_cuda_std(i);
    }
    return false;
  }

  void check_variable(const Function& function, std::size_t i) {
    const auto found = host_variables_.find(tokens_[i].text);
    if (found == host_variables_.end() || is_member(i) || is(i - 1, "::")) return;
    if (found->second->is_constant && !is(i + 1, "[")) return;
    const bool is_unevaluated = is(i - 1, "(") && (is(i - 2, "sizeof") || is(i - 2, "decltype"));
    if (is_unevaluated || is(i - 1, "sizeof") || is_local(function, tokens_[i].text)) return;
    error(i, "device code cannot use " + std::string(tokens_[i].text) +
                 ", which is a variable of the host: is its __device__ or __constant__ missing?");
  }

  const std::vector<Token>& tokens_;
  const bool has_lambdas_;
  Diagnostics& diagnostics_;
  const std::vector<std::size_t>& closing_;
  const Outline& outline_;
  // Of all functions of a name together: outside of classes, in any class, in a certain class.
  std::map<std::string_view, Spaces> spaces_;
  std::map<std::string_view, Spaces> member_spaces_;
  std::map<std::pair<std::string_view, std::string_view>, Spaces> spaces_of_class_;
  std::set<std::string_view> library_names_;
  std::set<std::string_view> own_namespaces_;
  std::map<std::string_view, const Variable*> host_variables_;
  // Of the function that is being checked:
  std::map<std::string_view, bool> locals_;
  bool has_own_spaces_ = false;
};

}  // namespace

void refuse_wrong_spaces(const EditedText& text, bool has_lambdas, Diagnostics& diagnostics) {
  SpaceRules(text, has_lambdas, diagnostics).run();
}

void remove_space_words(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_space_word(tokens[i])) text.remove(i);
  }
}

}  // namespace tilelab::rewriter
