// The end of a program that nobody observes: only the device's last error is known.

#include <cstdio>

#include "cuda_runtime_api.h"
#include "emulator/emulator.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/site_text.h"
#include "program/observation.h"

namespace tilelab::program {

void begin_observation() {}

void end_observation(const char*, bool) {
  const auto unchecked = emulator::unchecked_errors();  // asking forgets them
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) return;
  const char* details = emulator::fault_message();
  std::fprintf(stderr, "tilelab: %s: %s.%s%s%s\n", cudaGetErrorName(error),
               cudaGetErrorString(error), *details != '\0' ? " " : "", details,
               *details != '\0' ? "." : "");
  const char* which = "failed first";
  for (const emulator::UncheckedError& one : unchecked) {
    std::fprintf(stderr, "tilelab: the call in %s:%u %s, and nobody asked for its error.\n",
                 emulator::file_name(one.site), one.site.line, which);
    which = "failed, too";
  }
}

}  // namespace tilelab::program
