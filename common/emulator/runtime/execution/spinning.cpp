// Threads that wait for others in a loop of their own: for a lock, a flag, or all blocks of the
// grid. Such a loop calls spin(). Then the other threads of the block take turns with it, and when
// none of them gets any further, other blocks do, as many as a GPU would have room for.

#include "emulated/spinning.h"

#include <algorithm>
#include <utility>

#include "emulator/runtime/execution/block_state.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

/// A thread goes through its loop so often before another takes its turn.
constexpr unsigned rounds_per_turn = 16;

/// Each thread that waits needs a stack, and Linux allows about twice as many memory mappings.
constexpr std::size_t most_stacks = 24'000;

}  // namespace

/// All that belongs to a block while others run.
struct Scheduler::ParkedBlock {
  std::uint64_t number;
  uint3 index;
  std::vector<Thread> threads;
  std::vector<unsigned> position_of;
  std::array<Warp, device_limits::threads_per_block / warp_lanes> warps;
  PositionSet runnable;
  PositionSet at_barrier;
  Barrier barrier;
  unsigned living;
  unsigned current;
  bool is_traced;
  TileValues tile_values;
  unsigned at_grid_barrier;
  std::vector<std::byte> shared_memory;
};

Scheduler::Scheduler() = default;
Scheduler::~Scheduler() = default;

void spin_at_run_time() {
  if (Scheduler* scheduler = Scheduler::running()) scheduler->spin();
}

void Scheduler::spin() {
  if (++spin_rounds_ % rounds_per_turn != 0) return;
  leave_round();
  // Nobody has got further since this thread's last turn, so all that can run are in such loops.
  const bool is_stuck = spin_progress_ == progress_ && spinning_thread_ == current_;
  if (spin_progress_ != progress_ || spinning_thread_ == nobody) {
    spin_progress_ = progress_;
    spinning_thread_ = current_;
  }
  if (is_stuck && let_other_block_run()) return;
  yield();
}

/// Returns false if there is none, or if this block has copies or barriers, which stay with it.
bool Scheduler::let_other_block_run() {
  if (block_state != nullptr && block_state->is_used()) return false;
  const bool can_begin = blocks_begun_ < block_count_ && has_room_for_block();
  if (!can_begin && parked_.empty() && resuming_.empty()) return false;
  spinning_thread_ = nobody;
  park();
  if (can_begin) {
    threads_.fill({});
    order_block();
    begin_next_block();
  } else if (!resuming_.empty()) {
    resume_next_block();
    make_current(static_cast<unsigned>(runnable_.next_after(current_)));
  } else {
    resume(std::move(parked_.front()));
    parked_.pop_front();
    make_current(static_cast<unsigned>(runnable_.next_after(current_)));
  }
  switch_to_current();
  return true;
}

/// Whether a GPU could hold one more block beside those that wait.
bool Scheduler::has_room_for_block() const {
  const std::size_t blocks = parked_.size() + 1;
  const std::size_t threads = blocks * thread_count_;
  return blocks < device_limits::resident_blocks &&
         threads + thread_count_ <= device_limits::resident_threads &&
         all_fibers_.size() + thread_count_ <= most_stacks;
}

void Scheduler::park() {
  if (listener != nullptr) listener->block_parks(block_number_);
  parked_.push_back(std::make_unique<ParkedBlock>(ParkedBlock{
      block_number_,
      blockIdx,
      {threads_.begin(), threads_.begin() + thread_count_},
      {position_of_.begin(), position_of_.begin() + thread_count_},
      warps_,
      runnable_,
      at_barrier_,
      barrier_,
      living_,
      current_,
      traces_block,
      tile_values_,
      at_grid_barrier_,
      save_shared_memory(configuration_->dynamic_shared_bytes),
  }));
}

void Scheduler::resume(std::unique_ptr<ParkedBlock> block) {
  block_number_ = block->number;
  blockIdx = block->index;
  std::copy(block->threads.begin(), block->threads.end(), threads_.begin());
  std::copy(block->position_of.begin(), block->position_of.end(), position_of_.begin());
  warps_ = block->warps;
  runnable_ = block->runnable;
  at_barrier_ = block->at_barrier;
  barrier_ = block->barrier;
  living_ = block->living;
  current_ = block->current;
  traces_block = block->is_traced;
  tile_values_ = block->tile_values;
  at_grid_barrier_ = block->at_grid_barrier;
  restore_shared_memory(block->shared_memory);
  if (listener != nullptr) listener->block_unparks(block_number_);
}

/// A block has ended: one that waits goes on, the last to be parked first.
bool Scheduler::resume_parked_block() {
  if (parked_.empty()) return false;
  resume(std::move(parked_.back()));
  parked_.pop_back();
  return true;
}

void Scheduler::forget_parked_blocks() {
  parked_.clear();
  spinning_thread_ = nobody;
}

}  // namespace tilelab::emulator
