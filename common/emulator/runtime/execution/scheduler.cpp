#include "emulator/runtime/execution/scheduler.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "emulator/runtime/blocks/block_state.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
Scheduler& Scheduler::instance() {
  // Never destroyed: global destructors of the emulated program may still launch kernels.
  static auto* scheduler = new Scheduler;
  return *scheduler;
}

void Scheduler::set_order(Order order, std::uint64_t seed) {
  chosen_order_ = order;
  seed_ = seed;
}

void Scheduler::run(const KernelCall& kernel, const LaunchConfiguration& configuration,
                    const std::vector<std::uint64_t>* only, BlockTimes* times) {
  if (only != nullptr && only->empty()) return;
  kernel_ = &kernel;
  configuration_ = &configuration;
  gridDim = configuration.grid;
  blockDim = configuration.block;
  thread_count_ = static_cast<unsigned>(count_of(configuration.block));
  only_ = only;
  times_ = times;
  block_count_ = only != nullptr ? only->size() : count_of(configuration.grid);
  blocks_begun_ = 0;
  random_ = Random(seed_);
  ended_block_.reset();
  has_spun_ = false;
  const std::uint64_t cluster_size = count_of(configuration.cluster);
  block_order_.emplace(chosen_order_, block_count_ / cluster_size, random_);
  prepare_threads();
  pace_.launch_begins();
  const std::vector<std::byte> of_host = save_shared_memory(0);
  begin_next_block();

  running_fiber_ = take_idle_fiber();
  host_thread_ = this_host_thread();
  start_fiber(launcher_, *running_fiber_, fiber_main);
  host_thread_ = nullptr;
  if (times_ != nullptr) times_->end();
  forget_waiting_blocks();
  // Host code must not find what blocks left, and has thread_local variables of its own there.
  poison_shared_memory(configuration.dynamic_shared_bytes);
  restore_shared_memory(of_host);
  if (sticky_error() != cudaSuccess) {
    if (block_state != nullptr) block_state->block_is_abandoned();
    forget_fibers();
  }
}

// --- Blocks and threads --------------------------------------------------------------------------

void Scheduler::prepare_threads() {
  order_.resize(thread_count_);
  order_block();
}

void Scheduler::order_block() {
  order_threads(chosen_order_, order_, random_);
  for (unsigned position = 0; position < thread_count_; ++position) {
    const unsigned rank = order_[position];
    threads_[position].rank = static_cast<std::uint16_t>(rank);
    threads_[position].index = unflatten(rank, configuration_->block);
    position_of_[rank] = position;
  }
}

void Scheduler::note_block_runs() {
  if (times_ == nullptr) return;
  const std::uint64_t row = blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z;
  times_->runs(blockIdx.x + gridDim.x * row);
}

bool Scheduler::begin_next_block() {
  if (blocks_begun_ == block_count_) return false;
  if (chosen_order_ == Order::random && blocks_begun_ > 0) order_block();
  block_number_ = blocks_begun_++;
  pace_.block_begins();
  if (configuration_->has_cluster) {
    blockIdx = block_of_cluster(block_number_);
    enter_cluster();
  } else {
    const std::uint64_t number =
        only_ != nullptr ? (*only_)[block_number_] : (*block_order_)[block_number_];
    blockIdx = unflatten(number, configuration_->grid);
  }
  note_block_runs();
  if (block_state != nullptr) block_state->block_begins();
  poison_shared_memory(configuration_->dynamic_shared_bytes);
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->block_begins();

  // A block may tell the others that it is there before its first barrier, or after it.
  barriers_before_stop_ = chosen_order_ == Order::random ? block_number_ % 3 : 0;
  living_ = thread_count_;
  runnable_.fill(thread_count_);
  at_barrier_.reset(thread_count_);
  barrier_ = {};
  round_site_ = {};
  at_grid_barrier_ = 0;
  const unsigned warp_count = (thread_count_ + warp_lanes - 1) / warp_lanes;
  for (unsigned warp = 0; warp < warp_count; ++warp) warps_[warp] = {~0u, 0};
  branch_masks_.clear();
  if (const unsigned rest = thread_count_ % warp_lanes; rest != 0) {
    warps_[warp_count - 1].living = (1u << rest) - 1;
  }
  make_current(0);
  return true;
}

void Scheduler::make_current(unsigned position) {
  current_ = position;
  threadIdx = threads_[position].index;
  if (traces_block) [[unlikely]]
    progress_listener->thread_runs(threads_[position].rank);
}

void* Scheduler::fiber_main() {
  Scheduler& scheduler = instance();
  const Fiber* const next = scheduler.run_threads();
  running_stack = next->stack;
  return next->stack_pointer;
}

/// Runs threads that have not started, until one that waits is next.
/// @return the fiber that continues
Fiber* Scheduler::run_threads() {
  for (;;) {
    threads_[current_].fiber = running_fiber_;
    kernel_->run_thread(kernel_->context);
    if (Fiber* const next = finish_current_thread()) return next;
  }
}

/// @return the fiber that continues; null if `current_` has not started, and this fiber can run it
Fiber* Scheduler::finish_current_thread() {
  leave_round();
  ++progress_;
  ++threads_ended_;
  Thread& self = threads_[current_];
  self.fiber = nullptr;
  runnable_.erase(current_);
  --living_;
  if (traces_block) [[unlikely]]
    progress_listener->thread_ends(self.rank);
  Warp& warp = warps_[self.rank / warp_lanes];
  warp.living &= ~(1u << self.rank % warp_lanes);
  if (warp.waiting != 0) complete_after_exit(self.rank / warp_lanes);
  // As on hardware, the others no longer wait for a thread that has exited.
  if (barrier_.arrived > 0 && barrier_.arrived == living_) release_barrier();
  if (cluster_ != nullptr) exit_from_cluster(self.rank);
  if (living_ == 0) return finish_block();
  return continue_with(next_runnable());
}

Fiber* Scheduler::finish_block() {
  if (block_state != nullptr) block_state->block_leaves();
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->block_ends();
  if (cluster_ != nullptr) leave_cluster();
  ended_block_ = blockIdx;
  forget_turns();
  if (waiting_blocks_.empty() && begin_next_block()) return nullptr;
  if (!run_another_block()) {
    idle_fibers_.push_back(running_fiber_);
    return &launcher_;
  }
  return continue_with(next_runnable());
}

/// The running fiber has no thread any more.
/// @return the fiber that continues; null if it is the running one
Fiber* Scheduler::continue_with(unsigned position) {
  make_current(position);
  prefetch_stack();
  Fiber* const waiting = threads_[position].fiber;
  if (waiting == nullptr) return nullptr;
  idle_fibers_.push_back(running_fiber_);
  running_fiber_ = waiting;
  return waiting;
}

// --- Fibers --------------------------------------------------------------------------------------

Fiber* Scheduler::take_idle_fiber() {
  if (idle_fibers_.empty()) {
    all_fibers_.push_back(make_fiber());
    return &all_fibers_.back();
  }
  Fiber* fiber = idle_fibers_.back();
  idle_fibers_.pop_back();
  return fiber;
}

void Scheduler::yield() {
  leave_round();
  const unsigned next = next_runnable();
  if (threads_[next].fiber != running_fiber_) return switch_to(next);
  make_current(next);
}

void Scheduler::switch_to_current() {
  Fiber* const from = running_fiber_;
  if (Fiber* const waiting = threads_[current_].fiber) {
    running_fiber_ = waiting;
    return switch_fiber(*from, *waiting);
  }
  running_fiber_ = take_idle_fiber();
  start_fiber(*from, *running_fiber_, fiber_main);
}

void Scheduler::switch_to(unsigned position) {
  make_current(position);
  prefetch_stack();
  switch_to_current();
}

unsigned Scheduler::next_runnable() {
  if (const int next = runnable_.next_after(current_); next >= 0) {
    return static_cast<unsigned>(next);
  }
  if (!complete_active_masks() && !leave_waiting_block()) report_deadlock();
  return static_cast<unsigned>(runnable_.next_after(current_));
}

void Scheduler::pause() {
  Thread& self = threads_[current_];
  self.waits_for = WaitsFor::listener;
  runnable_.erase(current_);
  progress_listener->thread_waits(self.rank, self.waits_for);
  yield();
  self.waits_for = WaitsFor::nothing;
}

std::vector<unsigned> Scheduler::living_threads() const {
  std::vector<unsigned> ranks;
  for (unsigned rank = 0; rank < thread_count_; ++rank) {
    if (is_living(rank)) ranks.push_back(rank);
  }
  return ranks;
}

void Scheduler::resume(unsigned rank) { runnable_.insert(position_of_[rank]); }

void Scheduler::wait_for_wake(WaitsFor kind, const char* what, Site site) {
  Thread& self = threads_[current_];
  Wait wait{.site = site, .what = what};
  self.waits_for = kind;
  self.wait = &wait;
  runnable_.erase(current_);
  if (traces_block) [[unlikely]]
    progress_listener->thread_waits(self.rank, kind);
  ++progress_;
  yield();
}

void Scheduler::let_others_run() {
  leave_round();
  if (runnable_.next_after(current_) != static_cast<int>(current_)) yield();
}

bool Scheduler::copies_early() {
  if (chosen_order_ == Order::random) return random_.below(2) == 0;
  return chosen_order_ == Order::descending;
}

void Scheduler::rename_wait(const std::vector<unsigned>& ranks, const char* what) {
  for (const unsigned rank : ranks) threads_[position_of_[rank]].wait->what = what;
}

void Scheduler::wake(unsigned rank) {
  threads_[position_of_[rank]].waits_for = WaitsFor::nothing;
  if (traces_block) [[unlikely]]
    progress_listener->thread_wakes(rank);
  runnable_.insert(position_of_[rank]);
}

bool Scheduler::is_on_stack(const void* address) const {
  return std::any_of(all_fibers_.begin(), all_fibers_.end(), [address](const Fiber& fiber) {
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - fiber.stack);
    return offset < fiber_guard_bytes + fiber_stack_bytes;
  });
}

void Scheduler::leave_launch() {
  switch_fiber(*running_fiber_, launcher_);
  __builtin_unreachable();
}

void Scheduler::forget_fibers() {
  idle_fibers_.clear();
  for (Fiber& fiber : all_fibers_) idle_fibers_.push_back(&fiber);
  for (Thread& thread : threads_) {
    thread.fiber = nullptr;
    thread.waits_for = WaitsFor::nothing;
  }
}

// --- Block barrier -------------------------------------------------------------------------------

BarrierResult Scheduler::vote_at_barrier(bool predicate, Site site, bool brings_value) {
  leave_round();
  if (barrier_.arrived == 0) {
    barrier_.site = site;
  } else if (site != barrier_.site) {
    report_divergent_barrier(site);
  }
  Thread& self = threads_[current_];
  self.waits_for = WaitsFor::barrier;
  ++barrier_.arrived;
  barrier_.count += predicate;
  barrier_.brings_value = brings_value;
  runnable_.erase(current_);
  at_barrier_.insert(current_);
  if (traces_block) [[unlikely]]
    progress_listener->thread_waits(self.rank, self.waits_for);
  const bool is_last = barrier_.arrived == living_;
  if (is_last) release_barrier();
  ++progress_;
  if (!is_last || !let_next_block_catch_up()) yield();
  return barrier_.result;
}

void Scheduler::release_barrier() {
  ++barriers_passed_;
  // The result outlives the release: no thread can complete the next barrier before every thread
  // has read this one's.
  const auto arrived = static_cast<int>(barrier_.arrived);
  barrier_.result = {barrier_.count, barrier_.count == arrived, barrier_.count > 0};
  if (traces_block) [[unlikely]] {
    if (barrier_.arrived < thread_count_) {
      tell(&Listener::barrier_skipped, barrier_.site, thread_count_ - barrier_.arrived,
           thread_count_);
    }
    progress_listener->barrier_opens();
  }
  barrier_.arrived = 0;
  barrier_.count = 0;
  for (unsigned position = 0; position < thread_count_; ++position) {
    WaitsFor& waits_for = threads_[position].waits_for;
    if (waits_for == WaitsFor::barrier) waits_for = WaitsFor::nothing;
  }
  runnable_.insert_all(at_barrier_);
  at_barrier_.clear();
}

// --- Warp operations -----------------------------------------------------------------------------

std::uint64_t Scheduler::warp_collective(const WarpRequest& request, Site site) {
  Thread& self = threads_[current_];
  const unsigned warp = self.rank / warp_lanes;
  const unsigned lane = self.rank % warp_lanes;
  check_request(request, lane);
  if (traces_block) [[unlikely]]
    progress_listener->warp_operation_begins();
  Wait wait{.site = site, .request = &request};
  self.waits_for = WaitsFor::warp;
  self.wait = &wait;
  warps_[warp].waiting |= 1u << lane;
  if (traces_block) [[unlikely]]
    progress_listener->thread_waits(self.rank, self.waits_for);
  if (can_complete(warp, lane)) {
    complete(warp, request.mask & warps_[warp].living);
  } else {
    runnable_.erase(current_);
    ++progress_;
    yield();
  }
  self.waits_for = WaitsFor::nothing;
  return wait.result;
}

unsigned Scheduler::branch_mask(Site site) {
  const unsigned rank = threads_[current_].rank;
  const auto mask = static_cast<unsigned>(warp_collective({WarpOperation::active_mask, ~0u}, site));
  const unsigned lanes = std::min(thread_count_ - rank / warp_lanes * warp_lanes, warp_lanes);
  if (traces_block && static_cast<unsigned>(std::popcount(mask)) < lanes) {
    branch_masks_.resize(thread_count_);
    branch_masks_[rank] = mask;
  }
  return mask;
}

/// Tells of an operation for which the lanes took the mask that they found in a branch.
void Scheduler::tell_branch_mask(unsigned warp, unsigned leader) {
  const Thread& thread = thread_of(warp, leader);
  const WarpRequest& request = *thread.wait->request;
  const bool combines_lanes = is_shuffle(request.operation) || is_reduction(request.operation);
  if (!combines_lanes || branch_masks_[thread.rank] != request.mask) return;
  tell(&Listener::branch_mask_used, thread.wait->site, thread.index, name_of(request.operation));
}

void Scheduler::check_request(const WarpRequest& request, unsigned lane) {
  char sentence[160];
  if ((request.mask >> lane & 1) == 0) {
    std::snprintf(sentence, sizeof sentence,
                  "lane %u calls %s with mask 0x%08x, which does not include the lane itself", lane,
                  name_of(request.operation), request.mask);
    fault(cudaErrorLaunchFailure, sentence);
  }
  const int width = request.width;
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    std::snprintf(sentence, sizeof sentence,
                  "%s has width %d, which is not a power of two from 1 to 32",
                  name_of(request.operation), width);
    fault(cudaErrorLaunchFailure, sentence);
  }
}

WarpRequests Scheduler::gather(unsigned warp, unsigned lanes) {
  WarpRequests requests{};
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    requests[lane] = thread_of(warp, lane).wait->request;
  }
  return requests;
}

/// Whether all living lanes of the leader's mask wait for the same operation as the leader. They
/// need not have called it in the same place.
bool Scheduler::can_complete(unsigned warp, unsigned leader) {
  const Thread& first = thread_of(warp, leader);
  const WarpRequest& wanted = *first.wait->request;
  if (wanted.operation == WarpOperation::active_mask) return false;
  const unsigned participants = wanted.mask & warps_[warp].living;
  if ((warps_[warp].waiting & participants) != participants) return false;
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const Thread& thread = thread_of(warp, static_cast<unsigned>(std::countr_zero(rest)));
    const WarpRequest& request = *thread.wait->request;
    if (request.operation != wanted.operation || request.mask != wanted.mask) return false;
  }
  return true;
}

void Scheduler::complete(unsigned warp, unsigned participants) {
  const WarpRequests requests = gather(warp, participants);
  if (traces_block) [[unlikely]] {
    const auto leader = static_cast<unsigned>(std::countr_zero(participants));
    progress_listener->warp_operation_completes(warp, participants, requests[leader]->operation);
    if (is_shuffle(requests[leader]->operation)) tell_undefined_shuffles(warp, requests);
    if (!branch_masks_.empty()) tell_branch_mask(warp, leader);
  }
  for (unsigned rest = participants; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    thread_of(warp, lane).wait->result = warp_result(requests, participants, lane);
    runnable_.insert(position_of_[warp * warp_lanes + lane]);
  }
  warps_[warp].waiting &= ~participants;
}

void Scheduler::tell_undefined_shuffles(unsigned warp, const WarpRequests& requests) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (requests[lane] == nullptr) continue;
    const unsigned source = source_lane(*requests[lane], lane);
    if (requests[source] != nullptr) continue;
    const Thread& thread = thread_of(warp, lane);
    tell(&Listener::shuffle_is_undefined, thread.wait->site, thread.index, source,
         requests[lane]->mask);
  }
}

/// __activemask() waits for nobody, but lanes that reach it converge if they can. So it completes
/// when no thread of the block can continue. All lanes that wait at the same one are active.
bool Scheduler::complete_active_masks() {
  bool completed = false;
  for (unsigned warp = 0; warp * warp_lanes < thread_count_; ++warp) {
    for (unsigned rest = warps_[warp].waiting; rest != 0; rest &= rest - 1) {
      const auto leader = static_cast<unsigned>(std::countr_zero(rest));
      const Thread& first = thread_of(warp, leader);
      if (first.wait->request->operation != WarpOperation::active_mask) continue;
      unsigned together = 0;
      for (unsigned others = rest; others != 0; others &= others - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(others));
        const Thread& thread = thread_of(warp, lane);
        if (thread.wait->request->operation == WarpOperation::active_mask &&
            thread.wait->site == first.wait->site) {
          together |= 1u << lane;
        }
      }
      complete(warp, together);
      completed = true;
      rest &= ~(together & ~(1u << leader));
    }
  }
  return completed;
}

/// A lane has exited, and the other lanes of its masks may have waited for that.
void Scheduler::complete_after_exit(unsigned warp) {
  for (unsigned lane = 0; lane < warp_lanes && warps_[warp].waiting != 0; ++lane) {
    if ((warps_[warp].waiting >> lane & 1) != 0 && can_complete(warp, lane)) {
      complete(warp, thread_of(warp, lane).wait->request->mask & warps_[warp].living);
    }
  }
}

}  // namespace tilelab::emulator
