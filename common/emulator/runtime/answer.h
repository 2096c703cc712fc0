#pragma once

#include <type_traits>

#include "driver_types.h"
#include "emulator/runtime/memory/host_keeper.h"

namespace tilelab::emulator {

/// Whether the runtime can write a result there for the host.
template <class T>
bool can_answer(T* place) {
  return place != nullptr && may_write_host(place, sizeof *place);
}

/// Writes a result there, if that can be.
template <class T>
cudaError_t answer(T* place, const std::type_identity_t<T>& value) {
  if (!can_answer(place)) return cudaErrorInvalidValue;
  *place = value;
  return cudaSuccess;
}

}  // namespace tilelab::emulator
