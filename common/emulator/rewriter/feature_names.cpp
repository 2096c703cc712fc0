#include "feature_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

struct Unsupported {
  /// The word. A trailing `*` matches any ending, a trailing `^` any that begins with a capital
  /// letter; with a trailing `::`, it is a namespace.
  std::string_view word;
  std::string_view instead;
};

constexpr std::string_view no_asm = "write it in CUDA C++";
constexpr std::string_view no_reference = "use a texture object";
constexpr std::string_view no_gradient = "use tex2DLod() or its siblings";
constexpr std::string_view no_graph = "launch the kernels one after the other";
constexpr std::string_view no_graph_memory = "use the functions for one kind of node";
constexpr std::string_view no_graphics = "read and write memory of cudaMalloc()";
constexpr std::string_view with_sync = "use the function of the same name that ends in _sync";

constexpr std::string_view no_tensor_map = "copy row by row with cp_async_bulk()";

constexpr std::string_view no_library =
    "it has none of CUDA's libraries; write the kernel yourself";
constexpr std::string_view not_in_cuda =
    "of this namespace it has synchronization, memcpy_async(), std and <cuda/cmath>";
constexpr std::string_view no_driver = "use the runtime API, whose functions begin with cuda";
constexpr std::string_view no_half = "use float";

constexpr Unsupported unsupported[] = {
    {"cp_async_bulk_tensor*", no_tensor_map},
    {"CUtensorMap*", no_tensor_map},
    {"cuTensorMapEncode*", no_tensor_map},
    {"cudaBindTexture*", no_reference},
    {"cudaBindSurface*", no_reference},
    {"tex1DGrad", no_gradient},
    {"tex2DGrad", no_gradient},
    {"tex3DGrad", no_gradient},
    {"cudaLaunchCooperativeKernelMultiDevice", "there is only one device"},
    {"cudaGraphConditional*", no_graph},
    {"cudaGraphSetConditional", no_graph},
    {"cudaGraphAddMem^", no_graph_memory},
    {"cudaGraphAddNode", no_graph_memory},
    {"cudaGraphMem^", no_graph_memory},
    {"cudaGraphics*", no_graphics},
    {"cudaStreamBeginCaptureToGraph", no_graph},
    {"__shfl", with_sync},
    {"__shfl_up", with_sync},
    {"__shfl_down", with_sync},
    {"__shfl_xor", with_sync},
    {"__all", with_sync},
    {"__any", with_sync},
    {"__ballot", with_sync},
    {"nvcuda::", "there are no tensor cores"},
    {"cuda::", not_in_cuda},
    {"thrust::", no_library},
    {"cub::", no_library},
    {"cublas^", no_library},
    {"cufft^", no_library},
    {"CUFFT_*", no_library},
    {"cusparse^", no_library},
    {"CUSPARSE_*", no_library},
    {"cusolver^", no_library},
    {"CUSOLVER_*", no_library},
    {"curandGetDirectionVectors*", no_library},
    {"curandSetQuasi*", no_library},
    {"curandStateSobol*", no_library},
    {"curandStateScrambled*", no_library},
    {"cudnn^", no_library},
    {"nccl^", no_library},
    {"nvrtc^", no_library},
    {"nvml^", no_library},
    {"CUresult", no_driver},
    {"CUdevice*", no_driver},
    {"CUcontext", no_driver},
    {"CUmodule", no_driver},
    {"CUfunction", no_driver},
    {"cuInit", no_driver},
    {"cuDevice^", no_driver},
    {"cuCtx^", no_driver},
    {"cuModule^", no_driver},
    {"cuMem^", no_driver},
    {"cuLaunch^", no_driver},
    {"__nv_fp8_*", no_half},
};

bool matches(std::string_view pattern, std::string_view word) {
  const std::string_view begin = pattern.substr(0, pattern.size() - 1);
  if (pattern.back() == '*') return word.starts_with(begin);
  if (pattern.back() == '^') {
    return word.starts_with(begin) && word.size() > begin.size() &&
           std::isupper(static_cast<unsigned char>(word[begin.size()])) != 0;
  }
  return word == pattern;
}

bool is_assembly(const Token& token) {
  return token.is("asm") || token.is("__asm") || token.is("__asm__");
}

/// Whether cublas_v2.h or cublasLt.h declares the word: it computes nothing.
bool is_declared_of_cublas(std::string_view word) {
  constexpr std::array functions = {"cublasCreate",      "cublasDestroy",  "cublasSetStream",
                                    "cublasSetMathMode", "cublasLtCreate", "cublasLtDestroy"};
  return (word.starts_with("cublas") && word.ends_with("_t")) ||
         std::find(functions.begin(), functions.end(), word) != functions.end();
}

/// What the emulator has of the namespace `cuda`.
bool is_supported_in_cuda(const Token& token) {
  constexpr std::array names = {"atomic",
                                "atomic_ref",
                                "atomic_thread_fence",
                                "barrier",
                                "latch",
                                "counting_semaphore",
                                "binary_semaphore",
                                "pipeline",
                                "pipeline_role",
                                "make_pipeline",
                                "memcpy_async",
                                "pipeline_shared_state",
                                "device",
                                "aligned_size_t",
                                "pipeline_consumer_wait_prior",
                                "ceil_div",
                                "round_up",
                                "round_down",
                                "ilog2",
                                "ilog10",
                                "ptx",
                                "std"};
  return token.text.starts_with("thread_scope") || token.text.starts_with("memory_order") ||
         std::find(names.begin(), names.end(), token.text) != names.end();
}

class Refusal {
 public:
  Refusal(const EditedText& text, Diagnostics& diagnostics)
      : tokens_(text.tokens()), outline_(text.outline()), diagnostics_(diagnostics) {}

  void check(std::size_t i) {
    const Token& token = tokens_[i];
    if (is_assembly(token)) {
      error(token, "inline assembly (PTX) is not supported by the emulator: ", no_asm);
    }
    for (const auto& [word, instead] : unsupported) {
      const bool is_namespace = word.ends_with("::");
      const std::string_view name = is_namespace ? word.substr(0, word.size() - 2) : word;
      if (!matches(name, token.text) || (is_namespace && !names_namespace(i))) continue;
      if (is_own(token.text) || is_declared_of_cublas(token.text)) continue;
      if (token.is("cuda") && names_something_supported(i)) continue;
      error(token, name_at(i) + " is not supported by the emulator: ", instead);
    }
  }

 private:
  void error(const Token& token, const std::string& what, std::string_view instead) {
    diagnostics_.error(token.file, token.line, what + std::string(instead));
  }

  /// The token, and after `cuda::` what is named of it.
  std::string name_at(std::size_t i) const {
    std::string name(tokens_[i].text);
    if (!tokens_[i].is("cuda") || i + 2 >= tokens_.size()) return name;
    return name + "::" + std::string(tokens_[i + 2].text);
  }

  bool names_namespace(std::size_t i) const {
    const bool is_inside = i > 0 && (tokens_[i - 1].is(".") || tokens_[i - 1].is("->"));
    const bool is_named = i > 0 && tokens_[i - 1].is("namespace");
    return is_named || (!is_inside && i + 1 < tokens_.size() && tokens_[i + 1].is("::"));
  }

  bool names_something_supported(std::size_t i) const {
    if (i + 1 >= tokens_.size() || !tokens_[i + 1].is("::"))
      return true;  // the headers decide what is in it
    return i + 2 < tokens_.size() && is_supported_in_cuda(tokens_[i + 2]);
  }

  /// Whether the program declares the name itself.
  bool is_own(std::string_view name) {
    if (!has_own_) read_own();
    return own_.contains(name);
  }

  void read_own() {
    has_own_ = true;
    for (const Function& function : outline_.functions) own_.insert(function.name);
    for (const Variable& variable : outline_.variables) own_.insert(variable.name);
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      const Token& name = tokens_[i + 1];
      if (!tokens_[i].is_user_code || name.kind != Kind::identifier) continue;
      const bool is_type = tokens_[i].is("struct") || tokens_[i].is("class") ||
                           tokens_[i].is("enum") || tokens_[i].is("using");
      if ((is_type || tokens_[i].is("namespace")) &&
          (tokens_[i + 2].is("{") || tokens_[i + 2].is("="))) {
        own_.insert(name.text);
      }
      if (tokens_[i + 2].is(";") && ends_typedef(i + 2)) own_.insert(name.text);
    }
  }

  /// Whether the `;` ends `typedef ... name;`, which has no `;` in between.
  bool ends_typedef(std::size_t end) const {
    constexpr std::size_t longest = 12;
    for (std::size_t i = end; i > 0 && end - i < longest; --i) {
      if (tokens_[i - 1].is("typedef")) return true;
      if (tokens_[i - 1].is(";")) return false;
    }
    return false;
  }

  const std::vector<Token>& tokens_;
  const Outline& outline_;
  Diagnostics& diagnostics_;
  std::set<std::string_view> own_;
  bool has_own_ = false;
};

}  // namespace

void rewrite_feature_names(EditedText& text, Diagnostics& diagnostics) {
  const std::vector<Token>& tokens = text.tokens();
  Refusal refusal(text, diagnostics);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (!token.is_user_code || token.kind != Kind::identifier) continue;
    refusal.check(i);
    // Inside parentheses it already is GNU's attribute of that name.
    const bool is_in_attribute =
        i > 0 && (tokens[i - 1].is("(") || tokens[i - 1].is(",") || tokens[i - 1].is("::"));
    // A type with a destructor could not be a __shared__ variable, so this one has a function.
    if (token.is("barrier") && i > 1 && tokens[i - 1].is("~") &&
        (tokens[i - 2].is(".") || tokens[i - 2].is("->"))) {
      text.remove(i - 1);
      text.replace(i, "tilelab_invalidate");
    }
    if (token.is("__noinline__") && !is_in_attribute) {
      text.replace(i, "__attribute__((noinline))");
    }
  }
}

}  // namespace tilelab::rewriter
