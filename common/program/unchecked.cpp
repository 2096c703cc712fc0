// The end of a program that nobody observes: only the device's last error is known.

#include <cstdio>

#include "cuda_runtime_api.h"
#include "emulator/emulator.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/site_text.h"
#include "program/observation.h"

namespace tilelab::program {

namespace {

void tell(cudaError_t error, const char* details) {
  const bool has_details = *details != '\0';
  std::fprintf(stderr, "%s: %s.%s%s%s\n", cudaGetErrorName(error), cudaGetErrorString(error),
               has_details ? " " : "", details, has_details ? "." : "");
}

}  // namespace

void begin_observation() {}

void note_crash(const char* sentence) {
  std::fprintf(stderr, "tilelab: %s. `run --checked` names the line.\n", sentence);
}

void end_observation(const char*, bool) {
  for (const emulator::UncheckedError& one : emulator::unchecked_errors()) {
    std::fprintf(stderr, "tilelab: nobody asks for the error of the call in %s:%u: ",
                 emulator::file_name(one.site), one.site.line);
    tell(one.error, one.explanation.c_str());
  }
  const bool is_fault = emulator::sticky_error() != cudaSuccess;
  const bool is_told = !is_fault && !emulator::unchecked_errors().empty();
  const cudaError_t last = cudaPeekAtLastError();
  if (last == cudaSuccess || is_told) return;
  std::fprintf(stderr, is_fault ? "tilelab: " : "tilelab: the last error of a CUDA call was ");
  tell(last, emulator::fault_message());
}

}  // namespace tilelab::program
