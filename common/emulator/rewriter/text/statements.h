#pragma once

#include <cstddef>
#include <vector>

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Finds out where statements begin.
class Statements {
 public:
  /// The text must outlive this object.
  explicit Statements(const EditedText& text);

  /// The closing bracket of the one at `open`; 0 if there is none.
  std::size_t end_of(std::size_t open) const { return closing_[open]; }

  /// Whether a statement begins at this token.
  bool begins_at(std::size_t i) const;

  /// Whether the call of the function at this token is a whole statement: nobody wants its result.
  bool is_call_alone(std::size_t i) const;

 private:
  const std::vector<Token>& tokens_;
  const std::vector<std::size_t>& closing_;
  const std::vector<std::size_t> opening_;  ///< By closing bracket.
};

}  // namespace tilelab::rewriter
