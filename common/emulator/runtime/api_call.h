#pragma once

#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/failing_calls.h"
#include "emulator/runtime/runtime_lock.h"

namespace tilelab::emulator {

/// Runs one API call and records the error that it returns. After a fault it does not run it.
/// @param name  of the call; those that it makes in turn are not the program's
template <class Function>
cudaError_t api_call(Function function, const char* name = __builtin_FUNCTION()) {
  const RuntimeLock lock;
  if (lock.is_outermost()) {
    if (const cudaError_t error = failure_of_call(name); error != cudaSuccess) return error;
  }
  if (const cudaError_t sticky = sticky_error(); sticky != cudaSuccess) return sticky;
  return record_error(function());
}

}  // namespace tilelab::emulator
