#include "files/foreign_headers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string>

namespace tilelab::rewriter {
namespace {

namespace fs = std::filesystem;

/// `# 12 "file" flags`, which says where the next line comes from.
struct Marker {
  unsigned line = 0;
  std::string_view file;
  bool enters = false;
};

bool read_marker(std::string_view text, Marker& marker) {
  if (text.size() < 4 || text[0] != '#' || text[1] != ' ') return false;
  const auto number = std::from_chars(text.data() + 2, text.data() + text.size(), marker.line);
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  if (number.ec != std::errc() || open == std::string_view::npos || close == open) return false;
  marker.file = text.substr(open + 1, close - open - 1);
  marker.enters = text.substr(close + 1).find('1') != std::string_view::npos;
  return true;
}

/// Among the system's own headers, only the name tells those of a toolkit.
bool is_named_like_cuda(std::string_view name) {
  constexpr std::array begins = {"cuda",    "cublas",   "cufft",
                                 "curand",  "cusolver", "cusparse",
                                 "cub/",    "crt/",     "cooperative_groups",
                                 "thrust/", "nvrtc",    "nvToolsExt",
                                 "npp"};
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

/// A folder of headers, and whether it is a toolkit's.
class Folders {
 public:
  bool is_foreign(const fs::path& header) {
    fs::path folder = header.parent_path();
    for (int up = 0; up < 4 && !folder.empty(); ++up, folder = folder.parent_path()) {
      if (!is_toolkit(folder)) continue;
      return folder != "/usr/include" ||
             is_named_like_cuda(header.lexically_relative(folder).string());
    }
    return false;
  }

 private:
  bool is_toolkit(const fs::path& folder) {
    const auto [known, is_new] = known_.try_emplace(folder.string(), false);
    std::error_code ignored;
    if (is_new) {
      // The emulator's own folder has one of these two.
      known->second = fs::exists(folder / "cuda_runtime_api.h", ignored) &&
                      !fs::exists(folder / "emulated", ignored);
    }
    return known->second;
  }

  std::map<std::string, bool> known_;
};

}  // namespace

void refuse_foreign_headers(std::string_view preprocessed, Diagnostics& diagnostics) {
  Folders folders;
  Marker at;
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view text = preprocessed.substr(begin, end - begin);
    begin = end + 1;
    Marker marker;
    if (!read_marker(text, marker)) {
      ++at.line;
      continue;
    }
    if (marker.enters && folders.is_foreign(std::string(marker.file))) {
      diagnostics.error(at.file, at.line,
                        fs::path(marker.file).filename().string() +
                            " is a header of the CUDA Toolkit that the emulator does not have: "
                            "remove the #include");
      return;
    }
    at = marker;
  }
}

}  // namespace tilelab::rewriter
