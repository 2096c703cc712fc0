#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace tilelab::emulator {

/// Counts a block that cudaMallocAsync() took from the device's current pool.
void note_pool_block(const void* block, std::size_t bytes);

/// The size of such a block, if one begins there; 0 if none does.
std::size_t bytes_of_pool_block(const void* block);

/// Whether there is one.
bool has_pool_blocks();

/// Ends its count, if there is one.
void forget_pool_block(const void* block);

}  // namespace tilelab::emulator
