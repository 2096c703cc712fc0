#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Zeros, in pages that are taken up as they are written to. Lives as long as the process.
/// @throws std::bad_alloc
void* reserve_memory(std::size_t bytes);

/// Makes it zeros again, and gives the pages back.
void release_pages(void* memory, std::size_t bytes);

}  // namespace tilelab::emulator
