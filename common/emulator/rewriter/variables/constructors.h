#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "text/lexer.h"
#include "text/scopes.h"

namespace tilelab::rewriter {

/// What the constructors of the program's classes do, where no arguments are given, as nvcc sees
/// it.
class Constructors {
 public:
  enum class Work {
    nothing,   ///< There is none.
    empty,     ///< The program has written one that does nothing.
    constant,  ///< It sets every member to a constant, which the compiler can do.
    dynamic    ///< It would have to run.
  };

  explicit Constructors(const std::vector<Token>& tokens);

  /// What is to be done for a variable whose declaration has these tokens before its name.
  Work work_for(std::size_t begin, std::size_t name) const { return work_of_type(begin, name, 0); }

  /// Whether the token is in a function.
  bool is_in_function(std::size_t token) const {
    const Scope scope = scopes_.scope_of(token);
    return !scope.empty() && scope.back().starts_with('{');
  }

  /// Whether the program tells nvcc not to warn of it.
  bool are_expected() const;

 private:
  /// A class: its bases are in [head, open), its members in (open, closing_[open]). Of another name
  /// for a type, that type is in [head, open).
  struct Class {
    std::string_view name;
    Scope scope;  ///< What it is declared in.
    std::size_t head;
    std::size_t open;
    bool is_alias = false;
  };

  /// What the members and bases of a class add up to.
  struct Parts {
    bool has_unset = false;     ///< One that nobody sets.
    bool has_empty = false;     ///< One with an empty constructor.
    bool has_constant = false;  ///< One that is set to a constant.
    bool has_dynamic = false;
    bool is_implicit = true;   ///< Whether the compiler writes the constructor.
    Work own = Work::nothing;  ///< What the program's own one does.

    void add(Work work);
    Work sum() const;
  };

  void read_class(std::size_t word);
  void read_using(std::size_t word);
  std::size_t end_of_statement(std::size_t token) const;
  Work work_of_type(std::size_t begin, std::size_t end, int depth) const;
  Work work_of_name(std::size_t name, int depth) const;
  Work work_of_class(const Class& one, int depth) const;
  Scope said_before(std::size_t name) const;
  std::vector<const Class*> classes_named(std::size_t name) const;
  void add_member(const Class& one, std::size_t begin, std::size_t end, int depth,
                  Parts& parts) const;
  void add_function(const Class& one, std::size_t begin, std::size_t open, std::size_t end,
                    Parts& parts) const;
  Work work_of_body(const Class& one, std::size_t open, std::size_t end) const;
  bool is_defined_empty(const Class& one) const;
  bool has_arguments(std::size_t open) const;
  bool needs_arguments(std::size_t open) const;
  std::size_t end_of_member(std::size_t begin, std::size_t end) const;

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> closing_;
  Scopes scopes_;
  std::multimap<std::string_view, Class> classes_;
  /// The last names of namespaces whose names are used without them.
  std::set<std::string_view> used_namespaces_;
};

}  // namespace tilelab::rewriter
