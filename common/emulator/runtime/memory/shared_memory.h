#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tilelab::emulator {

/// The storage of all static arrays, which is the executable's thread-local storage.
std::span<std::byte> static_shared_memory();

/// Poisons what the last block left in shared memory: all static arrays, and the first bytes of the
/// dynamic array.
void poison_shared_memory(std::size_t dynamic_bytes);

/// A copy of all static arrays and of the first bytes of the dynamic array.
std::vector<std::byte> save_shared_memory(std::size_t dynamic_bytes);
/// Brings such a copy back.
void restore_shared_memory(const std::vector<std::byte>& copy);

}  // namespace tilelab::emulator
