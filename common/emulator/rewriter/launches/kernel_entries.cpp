#include "launches/kernel_entries.h"

#include <algorithm>
#include <map>
#include <string>

namespace tilelab::rewriter {
namespace {

/// Where a file speaks of nodes of kernels. The end if it does not.
std::vector<Token>::const_iterator find_kernel_nodes(const std::vector<Token>& tokens) {
  return std::find_if(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.is_user_code && token.is("cudaKernelNodeParams");
  });
}

}  // namespace

void add_kernel_entries(EditedText& text, bool is_program, Diagnostics& diagnostics) {
  const std::vector<Token>& tokens = text.tokens();
  const auto found = find_kernel_nodes(tokens);
  if (found == tokens.end()) return;
  if (!is_program) {
    return diagnostics.error(found->file, found->line,
                             "the functions of a lab cannot put kernels into graphs: launch them");
  }
  // A name that several functions have is no address.
  std::map<std::string_view, int> definitions;
  for (const Function& function : text.outline().functions) {
    const bool is_another = function.has_body || is_template(tokens, function);
    definitions[function.name] += is_another ? 1 : 0;
  }
  for (const Function& function : text.outline().functions) {
    const bool has_address = function.spaces.kernel && function.class_name.empty() &&
                             !is_template(tokens, function) && definitions[function.name] <= 1;
    if (!has_address) continue;
    const std::string name(function.name);
    const std::size_t last = function.end - 1;
    text.replace(last, std::string(tokens[last].text) +
                           " static const ::tilelab::emulator::KernelEntry tilelab_entry_" +
                           std::to_string(last) + "(\"" + name + "\", " + name + ");");
  }
}

}  // namespace tilelab::rewriter
