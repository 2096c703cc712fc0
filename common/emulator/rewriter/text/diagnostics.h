#pragma once

#include <string>
#include <string_view>

namespace tilelab::rewriter {

/// Prints errors in the compilers' format, and as many as the compilers are asked to show. Prints
/// warnings, too.
class Diagnostics {
 public:
  void error(std::string_view file, unsigned line, const std::string& sentence);
  /// It is printed at once, and is no error.
  static void warning(std::string_view file, unsigned line, const std::string& sentence);
  bool has_errors() const { return count_ > 0; }

 private:
  unsigned count_ = 0;
  std::string last_;
};

}  // namespace tilelab::rewriter
