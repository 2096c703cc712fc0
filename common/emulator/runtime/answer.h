#pragma once

#include "emulator/runtime/memory/host_keeper.h"

namespace tilelab::emulator {

/// Whether the runtime can write a result there for the host.
template <class T>
bool can_answer(T* place) {
  return place != nullptr && may_write_host(place, sizeof *place);
}

}  // namespace tilelab::emulator
