#pragma once

#include "emulator/runtime/listener.h"

namespace tilelab::emulator {

/// Whether the runtime can write a result there for the host.
template <class T>
bool can_answer(T* place) {
  return place != nullptr &&
         (listener == nullptr || listener->may_write_host(place, sizeof *place));
}

}  // namespace tilelab::emulator
