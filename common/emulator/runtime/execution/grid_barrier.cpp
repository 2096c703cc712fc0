// The grid's barrier: it opens when all threads of all blocks of a cooperative launch wait for it.

#include <algorithm>
#include <cstdio>

#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/execution/waiting_blocks.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {

void Scheduler::wait_at_grid_barrier(Site site) {
  if (!is_cooperative()) {
    char sentence[256];
    std::snprintf(sentence, sizeof sentence,
                  "calls sync() of this_grid() in %s:%u, but the kernel was not launched with "
                  "cudaLaunchCooperativeKernel()",
                  file_name(site), site.line);
    fault(cudaErrorLaunchFailure, sentence);
  }
  grid_barrier_site_ = site;
  ++at_grid_barrier_;
  wait_for_wake(WaitsFor::grid, "the grid's sync()", site);
}

/// All threads of the block wait for the grid. They have met, as at a barrier of their own.
void Scheduler::arrive_with_block() {
  barrier_.site = grid_barrier_site_;
  if (!traces_block) return;
  if (living_ < thread_count_) {
    tell(&Listener::barrier_skipped, grid_barrier_site_, thread_count_ - living_, thread_count_);
  }
  progress_listener->barrier_opens();
}

/// No block can continue. If all of them wait for the grid, they go on. A block that has ended
/// never comes.
/// @return false if some wait for something else
bool Scheduler::open_grid_barrier() {
  const auto is_at_barrier = [](const auto& block) {
    return block->waits == BlockWaits::at_barrier && block->at_grid_barrier > 0;
  };
  if (!std::all_of(waiting_blocks_.begin(), waiting_blocks_.end(), is_at_barrier)) return false;
  if (ended_block_) report_skipped_grid_barrier();
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->grid_barrier_opens();
  for (const auto& block : waiting_blocks_) block->waits = BlockWaits::past_grid_barrier;
  return true;
}

/// The block that runs again was let go.
void Scheduler::wake_at_grid_barrier() {
  at_grid_barrier_ = 0;
  for (unsigned position = 0; position < thread_count_; ++position) {
    if (threads_[position].waits_for == WaitsFor::grid) wake(threads_[position].rank);
  }
  current_ = thread_count_ - 1;
}

void Scheduler::report_skipped_grid_barrier() {
  tell(&Listener::threads_deadlock);
  blockIdx = waiting_blocks_.front()->index;
  set_fault(cudaErrorLaunchFailure,
            "%s: deadlock: its threads wait at the grid's sync() in %s:%u, but block (%u,%u,%u) "
            "has ended without it; every thread of the grid must reach it",
            describe_running_block(), file_name(grid_barrier_site_), grid_barrier_site_.line,
            ended_block_->x, ended_block_->y, ended_block_->z);
  leave_launch();
}

}  // namespace tilelab::emulator
