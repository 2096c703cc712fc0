#include "launches/kernel_notes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tilelab::rewriter {
namespace {

/// The headers define __launch_bounds__ as `__attribute__((tilelab_launch_bounds(...)))`.
constexpr std::string_view bounds_marker = "tilelab_launch_bounds";

/// Whether each word __global__ of user code belongs to a function that the outline has. A kernel
/// without notes would be taken for the one behind it.
bool knows_all_kernels(const EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  const std::vector<Function>& functions = text.outline().functions;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_user_code || !tokens[i].is("__global__")) continue;
    const bool is_known = std::ranges::any_of(functions, [i](const Function& one) {
      return one.spaces.kernel && one.head <= i && i < one.begin;
    });
    if (!is_known) return false;
  }
  return true;
}

std::string note(std::size_t number, const std::string& value, const std::string& alignment) {
  return "::tilelab::emulator::note_of_kernel<" + std::to_string(number) + ", (" + value + "), " +
         alignment + ">();";
}

}  // namespace

KernelNotes::KernelNotes(EditedText& text)
    : text_(text), tokens_(text.tokens()), knows_all_kernels_(knows_all_kernels(text)) {}

void KernelNotes::begin() {
  for (std::size_t i = 3; i + 1 < tokens_.size(); ++i) {
    if (!tokens_[i].is(bounds_marker)) continue;
    const std::size_t end = text_.closing()[i + 1] + 3;
    for (std::size_t k = i - 3; k < end; ++k) text_.remove(k);
  }
  if (!knows_all_kernels_) return;
  const std::vector<std::size_t> opening = opening_brackets(text_.closing());
  for (const Function& kernel : text_.outline().functions) {
    if (!kernel.spaces.kernel || !kernel.has_body) continue;
    text_.insert_before(opening[kernel.end - 1] + 1, note(0, bounds_of(kernel), "1") + ' ');
  }
}

std::string KernelNotes::sizes_of(std::size_t token,
                                  const std::vector<std::string>& variables) const {
  std::string text;
  const Function* const kernel = kernel_around(token);
  if (kernel == nullptr) return text;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string& name = variables[i];
    if (!is_used(name, token, kernel->end)) continue;
    text += ' ' + note(token + i, "sizeof " + name, "__alignof__(" + name + ")");
  }
  return text;
}

/// Whether the variable that is declared at `begin` has a use before `end`. nvcc leaves out what
/// nobody uses, and to ask for its size is no use.
bool KernelNotes::is_used(const std::string& name, std::size_t begin, std::size_t end) const {
  int count = 0;
  for (std::size_t i = begin + 2; i < end; ++i) {
    const Token &before = tokens_[i - 1], &second = tokens_[i - 2];
    const bool is_asked = before.is("sizeof") || (before.is("(") && second.is("sizeof"));
    const bool is_cast_away = before.is(")") && second.is("void");
    if (tokens_[i].is(name) && !is_asked && !is_cast_away) ++count;
  }
  return count > 1;
}

const Function* KernelNotes::kernel_around(std::size_t token) const {
  if (!knows_all_kernels_) return nullptr;
  const std::vector<Function>& functions = text_.outline().functions;
  const auto found = std::ranges::find_if(functions, [token](const Function& one) {
    return one.spaces.kernel && one.has_body && one.begin < token && token < one.end;
  });
  return found != functions.end() ? &*found : nullptr;
}

/// The first argument of the kernel's __launch_bounds__, or of those of an earlier declaration; 0
/// if there are none, or if its words mean another thing inside of the kernel.
std::string KernelNotes::bounds_of(const Function& kernel) const {
  std::span<const Token> bounds = bounds_in(kernel);
  for (const Function& other : text_.outline().functions) {
    const bool declares_it = !other.has_body && other.spaces.kernel && other.name == kernel.name &&
                             other.head < kernel.head && !is_template(tokens_, kernel);
    if (bounds.empty() && declares_it) bounds = bounds_in(other);
  }
  const bool hides_word = std::ranges::any_of(bounds, [&](const Token& word) {
    return word.kind == Kind::identifier && has_parameter(kernel, word.text);
  });
  if (bounds.empty() || hides_word) return "0";
  const auto begin = static_cast<std::size_t>(bounds.data() - tokens_.data());
  return join(tokens_, begin, begin + bounds.size());
}

/// Whether a parameter of the kernel has the name: what ends a parameter follows it.
bool KernelNotes::has_parameter(const Function& kernel, std::string_view name) const {
  for (std::size_t i = kernel.begin + 1; i < text_.closing()[kernel.begin]; ++i) {
    if (tokens_[i].is(name) && tokens_[i + 1].is_any({",", ")", "[", "="})) return true;
  }
  return false;
}

std::span<const Token> KernelNotes::bounds_in(const Function& declaration) const {
  for (std::size_t i = declaration.head; i < declaration.begin; ++i) {
    if (!tokens_[i].is(bounds_marker)) continue;
    const std::size_t last = text_.closing()[i + 1];
    std::size_t end = i + 2;
    while (end < last && !tokens_[end].is(",")) {
      const std::size_t after = after_template_arguments(tokens_, text_.closing(), end);
      end = after > end ? after : std::max(end, text_.closing()[end]) + 1;
    }
    return {&tokens_[i + 2], &tokens_[end]};
  }
  return {};
}

}  // namespace tilelab::rewriter
