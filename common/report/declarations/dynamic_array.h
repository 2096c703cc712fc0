#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilelab::report {

/// An `extern __shared__` array.
struct DynamicArray {
  std::string name;
  unsigned element_bytes;  ///< 0 if its type is not one of the language or of CUDA.
  std::vector<std::uint64_t> rows =
      {};  ///< The lengths after the first one; empty if there are none.

  bool operator==(const DynamicArray&) const = default;
};

/// The array that a line of a text can mean by dynamic shared memory: that of its function or, if
/// all that the text declares are alike, any. Empty if there is none or if there are several.
std::optional<DynamicArray> dynamic_array(std::string_view text, unsigned line);

}  // namespace tilelab::report
