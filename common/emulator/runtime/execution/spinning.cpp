// Threads that wait for others in a loop of their own: for a lock, a flag, or all blocks of the
// grid. Such a loop calls spin(). Then the other threads of the block take turns with it, and when
// none of them gets any further, other blocks do, as many as a GPU would have room for. Threads
// that meet in their loops, at barriers or in warp operations, get no further by that.

#include "emulated/spinning.h"

#include <algorithm>
#include <utility>

#include "emulator/runtime/execution/waiting_blocks.h"

namespace tilelab::emulator {
namespace {

/// A thread goes through its loop so often before another takes its turn.
constexpr unsigned rounds_per_turn = 16;

/// A thread has this many turns, while none of its block ends, before another block runs.
constexpr unsigned turns_in_vain = 8;

/// Each thread that waits needs a stack, and Linux allows about twice as many memory mappings.
constexpr std::size_t most_stacks = 24'000;

/// This many blocks stop at a barrier until later ones have come to theirs.
constexpr std::size_t most_overlapping = 3;

}  // namespace

void spin_at_run_time() {
  if (Scheduler* scheduler = Scheduler::running()) scheduler->spin();
  if (traces_block) [[unlikely]]
    progress_listener->thread_polls();
}

void Scheduler::spin() {
  has_spun_ = true;
  if (++spin_rounds_ % rounds_per_turn != 0) return;
  leave_round();
  // Nobody has got further since this thread's last turn, so all that can run are in such loops.
  const bool is_stuck = spin_progress_ == progress_ && spinning_thread_ == current_;
  if (spin_progress_ != progress_ || spinning_thread_ == nobody) {
    spin_progress_ = progress_;
    spinning_thread_ = current_;
  }
  if ((is_stuck || polls_in_vain()) && let_other_block_run()) return;
  yield();
}

/// Whether a thread has had this many turns, though others may have met with it in the meantime. It
/// is the first to have one, until a thread of the block ends or that one no longer has any.
bool Scheduler::polls_in_vain() {
  const bool is_gone = turns_ > turns_in_vain * thread_count_;
  if (polling_thread_ == nobody || ended_before_turns_ != threads_ended_ || is_gone) {
    polling_thread_ = current_;
    ended_before_turns_ = threads_ended_;
    turns_ = own_turns_ = 0;
  }
  ++turns_;
  return polling_thread_ == current_ && ++own_turns_ >= turns_in_vain;
}

/// Returns false if there is none.
bool Scheduler::let_other_block_run() {
  const bool can_begin = blocks_begun_ < block_count_ && has_room_for_block();
  const auto can_continue = [](const auto& block) {
    return block->waits != BlockWaits::at_barrier;
  };
  const auto first = std::find_if(waiting_blocks_.begin(), waiting_blocks_.end(), can_continue);
  if (!can_begin && first == waiting_blocks_.end()) return false;
  const auto place = static_cast<std::size_t>(first - waiting_blocks_.begin());
  put_block_aside(BlockWaits::in_a_loop);
  if (can_begin) {
    begin_next_block();
  } else {
    take_block_up(place);
    make_current(static_cast<unsigned>(runnable_.next_after(current_)));
  }
  switch_to_current();
  return true;
}

/// Blocks run one after the other, so one that waits for an earlier block would always find it
/// done. On a GPU they overlap. So once a thread of the launch has waited in a loop, a few blocks
/// at a time stop at a barrier, in all orders but the usual one.
/// @return whether the running block has stopped there, and now goes on
bool Scheduler::let_next_block_catch_up() {
  const bool stops_here = barriers_before_stop_-- == 0;
  if (!stops_here || !has_spun_ || chosen_order_ == Order::ascending) return false;
  if (configuration_->has_cluster || configuration_->is_cooperative) return false;
  const bool can_begin = blocks_begun_ < block_count_ && has_room_for_block();
  if (!can_begin || waiting_blocks_.size() >= most_overlapping) return false;
  put_block_aside(BlockWaits::in_a_loop);
  begin_next_block();
  switch_to_current();
  return true;
}

/// Whether a GPU could hold one more block besides those that wait.
bool Scheduler::has_room_for_block() const {
  const std::size_t blocks = waiting_blocks_.size() + 1;
  const std::size_t threads = blocks * thread_count_;
  return blocks < device_limits::resident_blocks &&
         threads + thread_count_ <= device_limits::resident_threads &&
         all_fibers_.size() + thread_count_ <= most_stacks;
}

}  // namespace tilelab::emulator
