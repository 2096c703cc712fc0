#pragma once

#include <cstddef>
#include <functional>

#include "driver_types.h"

namespace tilelab::emulator {

/// Whether the handle belongs to the default stream, or to a stream that was created and not
/// destroyed.
bool is_stream(cudaStream_t stream);

/// The streams, and the events, that were created and not destroyed.
std::size_t stream_count();
std::size_t event_count();

/// Calls a function of the program, as work of a stream.
void call_host_function(cudaStream_t stream, const std::function<void()>& function);

}  // namespace tilelab::emulator
