#include "emulator/runtime/listener.h"

namespace tilelab::emulator::tell {

void block_begins() { listener->block_begins(); }
void block_ends() { listener->block_ends(); }
void thread_runs(unsigned rank) { listener->thread_runs(rank); }
void thread_waits(unsigned rank, WaitsFor what) { listener->thread_waits(rank, what); }
void thread_ends(unsigned rank) { listener->thread_ends(rank); }
void barrier_opens() { listener->barrier_opens(); }
void warp_operation_begins() { listener->warp_operation_begins(); }
void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) {
  listener->warp_operation_completes(warp, lanes, operation);
}

}  // namespace tilelab::emulator::tell
