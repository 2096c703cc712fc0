#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// What a kernel notes of itself. A kernel whose address nobody knows (nullptr) has no notes.
struct KernelNotes {
  unsigned most_threads = 0;     ///< Those of its __launch_bounds__; 0 without any.
  std::size_t shared_bytes = 0;  ///< Its own static `__shared__` variables, as nvcc places them.
};

KernelNotes notes_of(const void* kernel);

}  // namespace tilelab::emulator
