#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/lexer.h"

namespace tilelab::rewriter {

/// The names of the namespaces and classes around a token, the outermost first. A block of a
/// function has a name that no other scope has. A namespace without a name and an inline one are
/// left out.
using Scope = std::vector<std::string>;

/// Knows which scope each token is in.
class Scopes {
 public:
  /// @param closing  by opening token: its closing one
  Scopes(const std::vector<Token>& tokens, const std::vector<std::size_t>& closing);

  Scope scope_of(std::size_t token) const;

 private:
  struct Brace {
    std::size_t around;  ///< The number of the brace around it, or `nowhere`.
    Scope names;         ///< What it adds.
  };

  std::vector<std::size_t> around_;  ///< By token: the number of the brace around it.
  std::vector<Brace> braces_;
};

}  // namespace tilelab::rewriter
