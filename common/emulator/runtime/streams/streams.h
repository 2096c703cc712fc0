#pragma once

#include "driver_types.h"

namespace tilelab::emulator {

/// Whether the handle belongs to the default stream, or to a stream that was created and not
/// destroyed.
bool is_stream(cudaStream_t stream);

}  // namespace tilelab::emulator
