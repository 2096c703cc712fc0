#pragma once

#include <optional>

#include "cuda_runtime_api.h"

/// Calls of a submission that fail because the judge asks for it (contract/failed_call.h).
namespace tilelab::emulator {

/// The program makes a call of the runtime.
/// @return the error that the call has to fail with; cudaSuccess if it goes on
cudaError_t failure_of_call(const char* name);

/// The program launches a kernel.
/// @return what the launch has to return without running the kernel; nothing if it goes on
std::optional<cudaError_t> failure_of_launch(const char* kernel);

}  // namespace tilelab::emulator
