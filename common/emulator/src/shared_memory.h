#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Forgets what the last block left in shared memory: all static arrays (they are the program's
/// thread-local storage) and the first bytes of the dynamic one.
void poison_shared_memory(std::size_t dynamic_bytes);

}  // namespace tilelab::emulator
