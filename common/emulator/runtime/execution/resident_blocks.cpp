// The grid's barrier: blocks of a cooperative launch take turns. A block runs until all its threads
// wait for the grid, and goes on when those of all other blocks do.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/block_state.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/shared_memory.h"

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

/// If all threads of the block wait for the grid, goes on with another block.
/// @return false if they do not
bool Scheduler::leave_waiting_block() {
  if (at_grid_barrier_ == 0 || at_grid_barrier_ < living_) return false;
  suspend_block();
  if (resuming_.empty() && resume_parked_block()) return true;
  if (!resuming_.empty() || !begin_next_block()) {
    resume_next_block();
  } else {
    current_ = thread_count_ - 1;  // the search for the next thread begins at the first one
  }
  return true;
}

void Scheduler::suspend_block() {
  barrier_.site = grid_barrier_site_;
  if (traces_block && living_ < thread_count_) [[unlikely]] {
    listener->barrier_skipped(grid_barrier_site_, thread_count_ - living_, thread_count_);
  }
  if (block_state != nullptr) block_state->block_leaves();
  if (listener != nullptr) [[unlikely]]
    listener->block_suspends();
  SuspendedBlock& block = suspended_.emplace_back();
  block.index = blockIdx;
  block.threads.assign(threads_.begin(), threads_.begin() + thread_count_);
  block.position_of.assign(position_of_.begin(), position_of_.begin() + thread_count_);
  block.warps = warps_;
  block.tile_values = tile_values_;
  block.living = living_;
  if (block_state != nullptr) block.state = block_state->save();
  block.shared_memory = save_shared_memory(configuration_->dynamic_shared_bytes);
  for (unsigned position = 0; position < thread_count_; ++position) {
    threads_[position].fiber = nullptr;
    threads_[position].waits_for = WaitsFor::nothing;
  }
}

/// Goes on with a block that the grid's barrier has let go, or lets the blocks go that wait there.
void Scheduler::resume_next_block() {
  if (resuming_.empty()) release_grid_barrier();
  const SuspendedBlock block = std::move(resuming_.front());
  resuming_.pop_front();
  blockIdx = block.index;
  std::copy(block.threads.begin(), block.threads.end(), threads_.begin());
  std::copy(block.position_of.begin(), block.position_of.end(), position_of_.begin());
  warps_ = block.warps;
  tile_values_ = block.tile_values;
  living_ = block.living;
  if (block_state != nullptr) block_state->restore(block.state);
  barrier_ = {};
  at_barrier_.reset(thread_count_);
  at_grid_barrier_ = 0;
  restore_shared_memory(block.shared_memory);
  if (listener != nullptr) [[unlikely]]
    listener->block_resumes();
  runnable_.reset(thread_count_);
  for (unsigned position = 0; position < thread_count_; ++position) {
    if (threads_[position].waits_for == WaitsFor::grid) wake(threads_[position].rank);
  }
  current_ = thread_count_ - 1;
}

/// All blocks have arrived. A block that has ended never will.
void Scheduler::release_grid_barrier() {
  if (ended_block_) report_skipped_grid_barrier();
  if (listener != nullptr) [[unlikely]]
    listener->grid_barrier_opens();
  resuming_.swap(suspended_);
}

void Scheduler::report_skipped_grid_barrier() {
  if (listener != nullptr) listener->threads_deadlock();
  blockIdx = suspended_.front().index;
  set_fault(cudaErrorLaunchFailure,
            "%s: deadlock: its threads wait at the grid's sync() in %s:%u, but block (%u,%u,%u) "
            "has ended without it; every thread of the grid must reach it",
            describe_running_block(), file_name(grid_barrier_site_), grid_barrier_site_.line,
            ended_block_->x, ended_block_->y, ended_block_->z);
  leave_launch();
}

}  // namespace tilelab::emulator
