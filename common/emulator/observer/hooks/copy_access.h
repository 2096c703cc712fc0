#pragma once

#include <cstdint>

#include "emulator/observer/async/copy_observer.h"

namespace tilelab::emulator {

/// The accesses of one chunk of an asynchronous copy. The code at `place` does nothing else.
void observe_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes, CopyKind kind,
                  std::uintptr_t place);

}  // namespace tilelab::emulator
