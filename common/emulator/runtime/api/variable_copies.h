#pragma once

#include <cstddef>

#include "driver_types.h"

namespace tilelab::emulator {

/// Copies as a stream's work to and from variables of the device. The other end may be memory of
/// the host.
cudaError_t copy_to_variable(void* variable, const void* source, std::size_t bytes,
                             cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t copy_from_variable(void* destination, const void* variable, std::size_t bytes,
                               cudaMemcpyKind kind, cudaStream_t stream);

}  // namespace tilelab::emulator
