#pragma once

#include <functional>

#include "driver_types.h"

namespace tilelab::emulator {

/// Whether the handle belongs to the default stream, or to a stream that was created and not
/// destroyed.
bool is_stream(cudaStream_t stream);

/// Calls a function of the program, as work of a stream.
void call_host_function(cudaStream_t stream, const std::function<void()>& function);

}  // namespace tilelab::emulator
