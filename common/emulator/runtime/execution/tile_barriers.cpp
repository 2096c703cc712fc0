// The barriers of tiles that are larger than a warp.

#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {

void Scheduler::wait_at_tile_barrier(unsigned first, unsigned threads, std::uint64_t value,
                                     Site site) {
  const unsigned own = current_rank();
  tile_values_.bring(own, value);
  const auto waits_here = [&](unsigned rank) {
    const Thread& thread = threads_[position_of_[rank]];
    return thread.waits_for == WaitsFor::tile && thread.wait->site == site;
  };
  bool is_last = first + threads <= thread_count_;
  for (unsigned rank = first; is_last && rank < first + threads; ++rank) {
    is_last = rank == own || waits_here(rank);
  }
  if (!is_last) {
    wait_for_wake(WaitsFor::tile, "the sync() of a tile, or another of its functions,", site);
  } else {
    if (traces_block) [[unlikely]]
      progress_listener->threads_meet(first, threads);
    tile_values_.exchange(first, threads);
    for (unsigned rank = first; rank < first + threads; ++rank) {
      if (rank != own) wake(rank);
    }
  }
}

std::uint64_t Scheduler::value_at_tile_barrier(unsigned rank) const {
  return tile_values_.value(rank, current_rank());
}

}  // namespace tilelab::emulator
