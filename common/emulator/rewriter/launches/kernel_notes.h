#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/edited_text.h"

namespace tilelab::rewriter {

/// Has each kernel note for the runtime what a launch of it must keep: the threads that
/// __launch_bounds__ allows, and the sizes of its static __shared__ variables. A note lies next to
/// the code that makes it, so that instances of a template have their own.
class KernelNotes {
 public:
  explicit KernelNotes(EditedText& text);

  /// Takes __launch_bounds__ out of all declarations, and begins the notes of each kernel.
  void begin();

  /// Statements that note the sizes of the variables that `token` declares; empty if it is not in
  /// a kernel.
  std::string sizes_of(std::size_t token, const std::vector<std::string>& variables) const;

 private:
  const Function* kernel_around(std::size_t token) const;
  std::string bounds_of(const Function& kernel) const;
  std::span<const Token> bounds_in(const Function& declaration) const;
  bool has_parameter(const Function& kernel, std::string_view name) const;
  bool is_used(const std::string& name, std::size_t begin, std::size_t end) const;

  EditedText& text_;
  const std::vector<Token>& tokens_;
  bool knows_all_kernels_;
};

}  // namespace tilelab::rewriter
