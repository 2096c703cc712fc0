#include "launches/cluster_dims.h"

#include <algorithm>
#include <string>

namespace tilelab::rewriter {
namespace {

/// The headers define __cluster_dims__ as `__attribute__((tilelab_cluster_dims(...)))`.
constexpr std::string_view cluster_marker = "tilelab_cluster_dims";

class ClusterDimsRewriter {
 public:
  ClusterDimsRewriter(EditedText& text, Diagnostics& diagnostics)
      : text_(text), tokens_(text.tokens()), diagnostics_(diagnostics) {}

  void run() {
    for (std::size_t i = 3; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is_user_code && tokens_[i].is(cluster_marker)) rewrite(i);
    }
  }

 private:
  void rewrite(std::size_t marker) {
    const std::size_t begin = marker - 3;  // `__attribute__`, and two parentheses
    const std::size_t end = text_.closing()[marker + 1];
    const std::string dims = join(tokens_, marker + 2, end);
    for (std::size_t i = begin; i < end + 3; ++i) text_.remove(i);
    const std::vector<Function>& functions = text_.outline().functions;
    const auto kernel = std::ranges::find_if(functions, [&](const Function& one) {
      return one.head <= begin && begin < one.begin && one.spaces.kernel;
    });
    const bool is_of_template = kernel != functions.end() && is_template(tokens_, *kernel);
    if (kernel == functions.end() || is_of_template) {
      diagnostics_.error(tokens_[marker].file, tokens_[marker].line,
                         is_of_template
                             ? "__cluster_dims__ of a kernel template is not supported by the "
                               "emulator: launch it with cudaLaunchKernelEx()"
                             : "__cluster_dims__ must be part of a kernel's declaration");
      return;
    }
    if (!kernel->has_body) return;
    const std::string name(kernel->name);
    const std::size_t last = kernel->end - 1;
    text_.replace(last, std::string(tokens_[last].text) +
                            " __attribute__((section(\"tilelab_clusters\"), used)) static "
                            "::tilelab::emulator::ClusterDims<decltype(&" +
                            name + ")> tilelab_cluster_dims_of_" + name + " = {&" + name + ", " +
                            dims + "};");
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
};

}  // namespace

void rewrite_cluster_dims(EditedText& text, Diagnostics& diagnostics) {
  ClusterDimsRewriter(text, diagnostics).run();
}

}  // namespace tilelab::rewriter
