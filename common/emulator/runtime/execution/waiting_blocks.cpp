// Blocks that wait for other blocks: at a barrier of the grid or cluster, or in a loop of their
// own. One block runs at a time, and when it cannot get any further without the others, one of them
// runs.

#include "emulator/runtime/execution/waiting_blocks.h"

#include <algorithm>
#include <utility>

#include "emulator/runtime/blocks/block_state.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {

Scheduler::Scheduler() = default;
Scheduler::~Scheduler() = default;

void Scheduler::put_block_aside(BlockWaits waits) {
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->block_parks(block_number_);
  auto block = std::make_unique<WaitingBlock>();
  block->waits = waits;
  block->number = block_number_;
  block->index = blockIdx;
  block->threads.assign(threads_.begin(), threads_.begin() + thread_count_);
  block->position_of.assign(position_of_.begin(), position_of_.begin() + thread_count_);
  block->warps = warps_;
  block->runnable = runnable_;
  block->at_barrier = at_barrier_;
  block->barrier = barrier_;
  block->tile_values = std::move(tile_values_);
  block->living = living_;
  block->at_grid_barrier = at_grid_barrier_;
  block->current = current_;
  block->is_traced = traces_block;
  if (block_state != nullptr) block->state = block_state->take();
  block->cluster = cluster_;
  if (cluster_ != nullptr) {
    cluster_->save_memory(cluster_rank());
  } else {
    block->shared_memory = save_shared_memory(configuration_->dynamic_shared_bytes);
  }
  cluster_ = nullptr;
  waiting_blocks_.push_back(std::move(block));
  for (unsigned position = 0; position < thread_count_; ++position) {
    threads_[position].fiber = nullptr;
    threads_[position].waits_for = WaitsFor::nothing;
  }
  forget_turns();
}

void Scheduler::take_block_up(std::size_t place) {
  WaitingBlock block = std::move(*waiting_blocks_[place]);
  waiting_blocks_.erase(waiting_blocks_.begin() + static_cast<std::ptrdiff_t>(place));
  block_number_ = block.number;
  blockIdx = block.index;
  note_block_runs();
  std::copy(block.threads.begin(), block.threads.end(), threads_.begin());
  std::copy(block.position_of.begin(), block.position_of.end(), position_of_.begin());
  warps_ = block.warps;
  runnable_ = block.runnable;
  at_barrier_ = block.at_barrier;
  barrier_ = block.barrier;
  tile_values_ = std::move(block.tile_values);
  living_ = block.living;
  at_grid_barrier_ = block.at_grid_barrier;
  current_ = block.current;
  traces_block = block.is_traced;
  if (block_state != nullptr) block_state->put(std::move(block.state));
  cluster_ = block.cluster;
  if (cluster_ != nullptr) {
    cluster_->restore_memory(cluster_rank());
  } else {
    restore_shared_memory(block.shared_memory);
  }
  forget_turns();
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->block_unparks(block_number_);
  if (block.waits == BlockWaits::past_grid_barrier) wake_at_grid_barrier();
  if (block.waits == BlockWaits::past_cluster_barrier) wake_at_cluster_barrier();
}

/// Those that no longer wait go on in the order in which they came. Of those that wait in a loop,
/// the last to come goes on first: it most likely waited for the block that has just ended.
bool Scheduler::take_up_waiting_block() {
  const auto begin = waiting_blocks_.begin();
  const auto free = std::find_if(begin, waiting_blocks_.end(), [](const auto& block) {
    return block->waits == BlockWaits::past_grid_barrier ||
           block->waits == BlockWaits::past_cluster_barrier;
  });
  if (free != waiting_blocks_.end()) {
    take_block_up(static_cast<std::size_t>(free - begin));
    return true;
  }
  const auto last =
      std::find_if(waiting_blocks_.rbegin(), waiting_blocks_.rend(),
                   [](const auto& block) { return block->waits == BlockWaits::in_a_loop; });
  if (last == waiting_blocks_.rend()) return false;
  take_block_up(static_cast<std::size_t>(waiting_blocks_.rend() - last) - 1);
  return true;
}

/// The running block has ended or was put aside: another one runs from its thread after `current_`.
/// @return false if there is none
bool Scheduler::run_another_block() {
  if (take_up_waiting_block()) return true;
  if (begin_next_block()) {
    current_ = thread_count_ - 1;  // the search for the next thread begins at the first one
    return true;
  }
  if (waiting_blocks_.empty()) return false;
  if (open_grid_barrier()) return take_up_waiting_block();
  const auto at_cluster_barrier =
      std::find_if(waiting_blocks_.begin(), waiting_blocks_.end(),
                   [](const auto& block) { return block->at_grid_barrier == 0; });
  take_block_up(static_cast<std::size_t>(at_cluster_barrier - waiting_blocks_.begin()));
  report_deadlock();
}

/// No thread of the running block can continue: others run if that may help.
/// @return false if it does not
bool Scheduler::leave_waiting_block() {
  const bool is_at_grid_barrier = at_grid_barrier_ > 0 && at_grid_barrier_ == living_;
  if (!is_at_grid_barrier && !waits_at_cluster_barrier()) return false;
  if (is_at_grid_barrier) arrive_with_block();
  put_block_aside(BlockWaits::at_barrier);
  return run_another_block();
}

void Scheduler::forget_waiting_blocks() {
  waiting_blocks_.clear();
  clusters_.clear();
  cluster_ = nullptr;
  forget_turns();
}

}  // namespace tilelab::emulator
