#pragma once

#include <cstddef>
#include <span>

namespace tilelab::emulator {

/// The storage of all static arrays, which is the executable's thread-local storage.
std::span<std::byte> static_shared_memory();

/// Poisons what the last block left in shared memory: all static arrays, and the first bytes of the
/// dynamic array.
void poison_shared_memory(std::size_t dynamic_bytes);

}  // namespace tilelab::emulator
