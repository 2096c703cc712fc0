#pragma once

#include "cuda_runtime_api.h"

/// Errors of the device: the last one, the sticky one, and the sentences that explain them.
namespace tilelab::emulator {

/// Keeps the error for cudaGetLastError() and returns it.
cudaError_t record_error(cudaError_t error);

/// What the calls after a kernel fault return; cudaSuccess while there was none.
cudaError_t sticky_error();

void clear_errors();

/// Writes the sentence and makes the error sticky. Allocates nothing: a signal handler calls it.
/// Only the first fault counts.
[[gnu::format(printf, 2, 3)]] void set_fault(cudaError_t error, const char* format, ...);

/// Tells the fatal handler; aborts if there is none. Async-signal-safe.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

/// Runs one API call: refuses after a fault, records what it returns.
template <class Function>
cudaError_t api_call(Function function) {
  if (const cudaError_t sticky = sticky_error(); sticky != cudaSuccess) return sticky;
  return record_error(function());
}

}  // namespace tilelab::emulator
