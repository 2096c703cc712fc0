#include "launches/launch_calls.h"

#include <algorithm>

namespace tilelab::rewriter {
namespace {

class LaunchCallRewriter {
 public:
  explicit LaunchCallRewriter(EditedText& text) : text_(text), tokens_(text.tokens()) {}

  void run() {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!token.is_user_code || !tokens_[i + 1].is("(")) continue;
      if (token.is("cudaLaunchKernel") || token.is("cudaLaunchCooperativeKernel")) rewrite(i + 2);
      if (token.is("cudaLaunchKernelEx") || token.is("cudaLaunchKernelExC")) rewrite_second(i + 2);
    }
  }

 private:
  void rewrite_second(std::size_t begin) {
    const std::size_t comma = end_of_argument(begin);
    if (comma != begin && tokens_[comma].is(",")) rewrite(comma + 1);
  }

  void rewrite(std::size_t begin) {
    const std::size_t end = end_of_argument(begin);
    if (end == begin) return;
    std::size_t kernel = begin;
    std::size_t kernel_end = end;
    while (strip_cast(kernel, kernel_end)) {
    }
    if (kernel >= kernel_end) return;
    std::string name = join(tokens_, kernel, kernel_end);
    std::erase_if(name, [](char c) { return c == '"' || c == '\\' || c == '\n'; });
    for (std::size_t i = begin; i < kernel; ++i) text_.remove(i);
    for (std::size_t i = kernel_end; i < end; ++i) text_.remove(i);
    text_.insert_before(kernel, "::tilelab::emulator::named_kernel(\"" + name + "\", ");
    text_.insert_before(end, ")");
  }

  /// The comma after the argument that begins there, or the end of the call.
  std::size_t end_of_argument(std::size_t begin) const {
    // A longer argument is an attack on the compiler, not a kernel.
    const std::size_t limit = std::min(tokens_.size(), begin + 1000);
    int depth = 0;
    int angles = 0;
    for (std::size_t i = begin; i < limit; ++i) {
      const Token& token = tokens_[i];
      if (depth == 0 && angles == 0 && token.is(",")) return i;
      if (token.is(";")) return begin;
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if ((token.is(")") || token.is("]") || token.is("}")) && depth-- == 0) return i;
      if (depth == 0 && token.is("<")) ++angles;
      if (depth == 0 && token.is(">")) --angles;
    }
    return begin;
  }

  bool is_void_pointer(std::size_t begin, std::size_t end) const {
    bool has_void = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Token& token = tokens_[i];
      has_void = has_void || token.is("void");
      if (!token.is("void") && !token.is("const") && !token.is("*")) return false;
    }
    return has_void;
  }

  std::size_t find(std::string_view text, std::size_t begin, std::size_t end) const {
    while (begin < end && !tokens_[begin].is(text)) ++begin;
    return begin;
  }

  /// Leaves out `(void*)`, or what is around the kernel in `reinterpret_cast<void*>(kernel)`.
  bool strip_cast(std::size_t& begin, std::size_t& end) const {
    if (tokens_[begin].is("(")) {
      const std::size_t close = find(")", begin, end);
      if (close == end || !is_void_pointer(begin + 1, close)) return false;
      begin = close + 1;
      return true;
    }
    if (!tokens_[begin].is("reinterpret_cast") && !tokens_[begin].is("static_cast")) return false;
    const std::size_t close = find(">", begin, end);
    if (close + 2 >= end || !tokens_[end - 1].is(")") || !is_void_pointer(begin + 2, close)) {
      return false;
    }
    begin = close + 2;
    --end;
    return true;
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
};

}  // namespace

void rewrite_launch_calls(EditedText& text) { LaunchCallRewriter(text).run(); }

}  // namespace tilelab::rewriter
