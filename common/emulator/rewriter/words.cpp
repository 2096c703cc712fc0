#include "words.h"

#include <algorithm>
#include <array>

namespace tilelab::rewriter {
namespace {

struct Unsupported {
  std::string_view word;  ///< The word; a trailing `*` matches any ending.
  std::string_view instead;
};

constexpr std::string_view no_asm = "write it in CUDA C++";
constexpr std::string_view no_managed = "use cudaMalloc() and cudaMemcpy()";
constexpr std::string_view no_texture = "read global memory instead";
constexpr std::string_view no_graph = "launch the kernels one after the other";
constexpr std::string_view chevrons = "use kernel<<<grid, block>>>(arguments)";
constexpr std::string_view one_device = "there is only one device";
constexpr std::string_view with_sync = "use the function of the same name that ends in _sync";
constexpr std::string_view no_async_copy = "copy with a load and a store";

constexpr Unsupported unsupported[] = {
    {"__cluster_dims__", "blocks run one at a time"},
    {"__nanosleep", "emulated threads do not sleep"},
    {"__managed__", no_managed},
    {"cudaMallocManaged", no_managed},
    {"cudaMemAdvise", no_managed},
    {"cudaMemPrefetchAsync", no_managed},
    {"cudaStreamAttachMemAsync", no_managed},
    {"cudaMalloc3D*", no_texture},
    {"cudaMallocArray", no_texture},
    {"cudaMemcpy3D*", "use cudaMemcpy2D()"},
    {"cudaArray*", no_texture},
    {"cudaCreateTextureObject", no_texture},
    {"cudaTextureObject_t", no_texture},
    {"cudaBindTexture*", no_texture},
    {"cudaCreateSurfaceObject", no_texture},
    {"cudaSurfaceObject_t", no_texture},
    {"tex1D*", no_texture},
    {"tex2D*", no_texture},
    {"tex3D*", no_texture},
    {"surf1D*", no_texture},
    {"surf2D*", no_texture},
    {"surf3D*", no_texture},
    {"cudaLaunchKernelEx*", chevrons},
    {"cudaLaunchCooperativeKernelMultiDevice", one_device},
    {"cudaGraph*", no_graph},
    {"cudaStreamBeginCapture*", no_graph},
    {"cudaStreamEndCapture", no_graph},
    {"cudaStreamAddCallback", "use cudaLaunchHostFunc()"},
    {"cudaDeviceEnablePeerAccess", one_device},
    {"cudaMemcpyPeer*", one_device},
    {"__shfl", with_sync},
    {"__shfl_up", with_sync},
    {"__shfl_down", with_sync},
    {"__shfl_xor", with_sync},
    {"__all", with_sync},
    {"__any", with_sync},
    {"__ballot", with_sync},
    {"__pipeline_*", no_async_copy},
    {"nvcuda", "there are no tensor cores"},
};

bool matches(std::string_view pattern, std::string_view word) {
  if (pattern.back() != '*') return word == pattern;
  return word.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool is_assembly(const Token& token) {
  return token.is("asm") || token.is("__asm") || token.is("__asm__");
}

void refuse(const Token& token, Diagnostics& diagnostics) {
  if (is_assembly(token)) {
    diagnostics.error(
        token.file, token.line,
        "inline assembly (PTX) is not supported by the emulator: " + std::string(no_asm));
  }
  for (const auto& [word, instead] : unsupported) {
    if (!matches(word, token.text)) continue;
    diagnostics.error(
        token.file, token.line,
        std::string(token.text) + " is not supported by the emulator: " + std::string(instead));
  }
}

}  // namespace

void rewrite_words(EditedText& text, Diagnostics& diagnostics) {
  const std::vector<Token>& tokens = text.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (!token.is_user_code || token.kind != Kind::identifier) continue;
    refuse(token, diagnostics);
    // Inside parentheses it already is GNU's attribute of that name.
    const bool is_in_attribute =
        i > 0 && (tokens[i - 1].is("(") || tokens[i - 1].is(",") || tokens[i - 1].is("::"));
    if (token.is("__noinline__") && !is_in_attribute) {
      text.replace(i, "__attribute__((noinline))");
    }
  }
}

}  // namespace tilelab::rewriter
