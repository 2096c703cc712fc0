#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Host code gets this many bytes of device memory. Ends the process if the call got too many.
void host_reads(std::size_t bytes);

/// Whether a call runs in which host code may read back only a few bytes.
bool host_reads_are_limited();

}  // namespace tilelab::emulator
