#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Memory full of zeros, which takes up pages only as they are written. It is never freed.
/// @throws std::bad_alloc
void* reserve_memory(std::size_t bytes);

/// Gives the pages back: the memory is full of zeros again.
void release_pages(void* memory, std::size_t bytes);

}  // namespace tilelab::emulator
