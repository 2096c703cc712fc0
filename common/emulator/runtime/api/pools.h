#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace tilelab::emulator {

/// Counts a block that cudaMallocAsync() took from the device's current pool.
void note_pool_block(const void* block, std::size_t bytes);

/// Ends its count, if there is one.
void forget_pool_block(const void* block);

}  // namespace tilelab::emulator
