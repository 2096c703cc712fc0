#pragma once

#include <cstddef>
#include <cstdint>

namespace tilelab::judge {

/// What a worker may take for one request.
struct Limits {
  double seconds;              ///< The answer must be here after this time.
  std::uint64_t memory_bytes;  ///< The process may hold this much memory.
};

/// The memory that a worker may hold while it works on arrays of `array_bytes` in all.
std::uint64_t memory_limit_for(std::size_t array_bytes);

}  // namespace tilelab::judge
