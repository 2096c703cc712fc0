// The end of a program that nobody observes: only the device's last error is known.

#include <cstdio>

#include "cuda_runtime_api.h"
#include "emulator/emulator.h"
#include "program/observation.h"

namespace tilelab::program {

void begin_observation() {}

void end_observation() {
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) return;
  const char* details = emulator::fault_message();
  std::fprintf(stderr, "tilelab: %s: %s.%s%s%s\n", cudaGetErrorName(error),
               cudaGetErrorString(error), *details != '\0' ? " " : "", details,
               *details != '\0' ? "." : "");
}

}  // namespace tilelab::program
