#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// The pointer that the program's next allocation fills.
struct AllocationName {
  const char* text = nullptr;     ///< Null if it is not known.
  std::size_t element_bytes = 0;  ///< The size of what it points to; 0 if it is not known.
};

/// What the rewriter told of the allocation that is being made. The next one has no name.
AllocationName take_allocation_name();

}  // namespace tilelab::emulator
