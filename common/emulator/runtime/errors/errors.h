#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "emulated/site.h"

/// The device's errors: the last one, the sticky one, and the sentence that explains it.
namespace tilelab::emulator {

/// Keeps the error for cudaGetLastError() and returns it.
cudaError_t record_error(cudaError_t error);

/// Returns the error, and explains it once it is recorded.
[[gnu::format(printf, 2, 3)]] cudaError_t explained(cudaError_t error, const char* format, ...);

/// Notes where host code was that did what the next explanation tells of.
void explanation_is_of(const std::vector<std::uint64_t>& callers);

/// Whether the program has asked for the last error since a call failed with it.
bool is_last_error_known();

/// The error that every call returns after a kernel fault; cudaSuccess if there was none.
cudaError_t sticky_error();

void clear_errors();

/// An error that the program has not looked at.
struct UncheckedError {
  cudaError_t error = cudaSuccess;
  Site site{};              ///< Of the call that returned it.
  std::string explanation;  ///< What the runtime knows of it; may be empty.
  /// Where host code was that did what the explanation tells of; may be empty.
  std::vector<std::uint64_t> callers;
};
/// Those that nobody has asked for since, with cudaGetLastError() for example: the first ones, and
/// one of each call. A call of that function alone clears the error and asks for nothing. Faults of
/// kernels are not among them.
const std::vector<UncheckedError>& unchecked_errors();

/// Writes the sentence and makes the error sticky. Only the first fault counts. Allocates nothing,
/// because a signal handler calls it.
[[gnu::format(printf, 2, 3)]] void set_fault(cudaError_t error, const char* format, ...);

/// Calls the fatal handler, or aborts if there is none. Async-signal-safe.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

}  // namespace tilelab::emulator
