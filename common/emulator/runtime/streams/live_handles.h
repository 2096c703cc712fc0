#pragma once

#include <unordered_set>

#include "driver_types.h"

/// The streams and events that were created and not destroyed.
namespace tilelab::emulator {

std::unordered_set<cudaStream_t>& live_streams();
std::unordered_set<cudaEvent_t>& live_events();

}  // namespace tilelab::emulator
