#pragma once

#include "driver_types.h"

namespace tilelab::emulator {

/// Whether the handle is the default stream's or that of a stream that was created and not
/// destroyed.
bool is_stream(cudaStream_t stream);

}  // namespace tilelab::emulator
