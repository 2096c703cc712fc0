#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// A `__managed__` variable, whose address is the same for host and device. The rewriter makes one
/// for each, in a section of their own. Its size is its alignment, so that compilers leave no gaps
/// between them.
struct alignas(16) ManagedVariable {
  const void* begin;
  std::size_t bytes;
};

}  // namespace tilelab::emulator
