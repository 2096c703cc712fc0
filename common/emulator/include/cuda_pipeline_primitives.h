#pragma once

/// Asynchronous copies of the calling thread, in groups that it commits and waits for.

#include <cstddef>

#include "cuda_runtime.h"
#include "emulated/async/copy_functions.h"

/// Copies 4, 8 or 16 bytes to shared memory, of which the last `zero_bytes` are zeros.
__attribute__((always_inline)) inline void __pipeline_memcpy_async(void* to, const void* from,
                                                                   std::size_t bytes,
                                                                   std::size_t zero_bytes = 0) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zero_bytes > bytes) {
    tilelab::emulator::trap("called __pipeline_memcpy_async() for other than 4, 8 or 16 bytes");
  }
  const auto size = static_cast<unsigned>(bytes);
  const auto source_size = static_cast<unsigned>(bytes - zero_bytes);
  tilelab::emulator::observe_copy(to, from, size, source_size);
  tilelab::emulator::copy_in_group(to, from, size, source_size);
}
inline void __pipeline_commit(tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::commit_copies(site);
}
inline void __pipeline_wait_prior(
    std::size_t prior, tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::wait_for_copies(static_cast<unsigned>(prior), site);
}
