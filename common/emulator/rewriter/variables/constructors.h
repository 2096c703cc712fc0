#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "text/lexer.h"

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

  /// Whether the program tells nvcc not to warn of it.
  bool are_expected() const;

 private:
  /// A class: its bases are in [head, open), its members in (open, closing_[open]).
  struct Class {
    std::string_view name;
    std::size_t head;
    std::size_t open;
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
  Work work_of_type(std::size_t begin, std::size_t end, int depth) const;
  Work work_of_class(std::string_view name, int depth) const;
  void add_member(const Class& one, std::size_t begin, std::size_t end, int depth,
                  Parts& parts) const;
  void add_function(const Class& one, std::size_t begin, std::size_t open, std::size_t end,
                    Parts& parts) const;
  Work work_of_body(std::size_t open, std::size_t end) const;
  bool is_defined_empty(std::string_view name) const;
  bool has_arguments(std::size_t open) const;
  bool needs_arguments(std::size_t open) const;
  std::size_t end_of_member(std::size_t begin, std::size_t end) const;

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> closing_;
  std::map<std::string_view, Class> classes_;
  std::map<std::string_view, std::string_view> aliases_;
};

}  // namespace tilelab::rewriter
