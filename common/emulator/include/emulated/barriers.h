#pragma once

/// __syncthreads() and its voting forms, and memory fences.

#include "emulated/site.h"

namespace tilelab::emulator {

/// What a block's barrier tells every thread about the threads' predicates.
struct BarrierResult {
  int count;  ///< How many predicates were not 0.
  bool all;
  bool any;
};

void wait_at_barrier(Site site);
BarrierResult vote_at_barrier(bool predicate, Site site);

[[noreturn]] void trap(const char* sentence);

}  // namespace tilelab::emulator

/// Waits until every thread of the block that has not exited has arrived.
inline void __syncthreads(tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::wait_at_barrier(site);
}
inline int __syncthreads_count(int predicate,
                               tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::vote_at_barrier(predicate != 0, site).count;
}
inline int __syncthreads_and(int predicate,
                             tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::vote_at_barrier(predicate != 0, site).all;
}
inline int __syncthreads_or(int predicate,
                            tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::vote_at_barrier(predicate != 0, site).any;
}

// There is one OS thread, so memory is always consistent. Only the compiler must not reorder.
#ifdef TILELAB_CHECKED
extern "C" void tilelab_observe_fence();
extern "C" void tilelab_observe_block_fence();
inline void __threadfence() { tilelab_observe_fence(); }
inline void __threadfence_block() { tilelab_observe_block_fence(); }
#else
inline void __threadfence() { __asm__ __volatile__("" ::: "memory"); }
inline void __threadfence_block() { __threadfence(); }
#endif
inline void __threadfence_system() { __threadfence(); }

/// Aborts the kernel.
[[noreturn]] inline void __trap() { tilelab::emulator::trap("executed __trap()"); }
inline void __brkpt() { tilelab::emulator::trap("executed __brkpt()"); }
