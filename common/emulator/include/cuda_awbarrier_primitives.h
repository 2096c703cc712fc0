#pragma once

/// Barriers in shared memory, as C functions.

#include <cstdint>

#include "cuda_runtime.h"
#include "emulated/async/barrier_functions.h"

using __mbarrier_t = std::uint64_t;
using __mbarrier_token_t = std::uint64_t;

inline std::uint32_t __mbarrier_maximum_count() { return (1 << 20) - 1; }
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected,
                            tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::initialize_barrier(barrier, expected, site);
}
inline void __mbarrier_inval(__mbarrier_t* barrier,
                             tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::invalidate_barrier(barrier, site);
}
inline __mbarrier_token_t __mbarrier_arrive(
    __mbarrier_t* barrier, tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::arrive_at_barrier(barrier, 1, false, 0, site);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(
    __mbarrier_t* barrier, tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::arrive_at_barrier(barrier, 1, true, 0, site);
}
inline bool __mbarrier_test_wait(
    __mbarrier_t* barrier, __mbarrier_token_t token,
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::try_wait_for_phases(barrier, token, site);
}
