#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// The accesses of one chunk of an asynchronous copy. The code at `place` does nothing else.
void observe_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes,
                  std::uintptr_t place);

}  // namespace tilelab::emulator
