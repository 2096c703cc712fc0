// Barriers of blocks whose threads do nothing but run from one barrier to the next, as most do.
// Such a round needs no sets of threads: each thread that arrives continues the next one, with as
// few instructions and as few bytes on its stack as possible. Whatever else a thread does ends the
// round first.

#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
inline void Scheduler::wait_at_barrier(Site site) {
  const Thread& next = threads_[current_ + 1];
  Fiber* const to = next.fiber;
  // The thread after the last one has no fiber.
  if (site != round_site_ || to == nullptr) [[unlikely]] {
    return wait_at_end_of_round(site);
  }
  ++current_;
  prefetch_stack();
  ++progress_;
  threadIdx = next.index;
  Fiber* const from = running_fiber_;
  running_fiber_ = to;
  switch_fiber(*from, *to);
}

void wait_at_barrier(Site site) {
  Scheduler* const scheduler = Scheduler::running();
  if (scheduler == nullptr) [[unlikely]] {
    fatal("host code calls __syncthreads(), which only kernels can call");
  }
  scheduler->wait_at_barrier(site);
}

/// The same where the next thread has not started, for the first and the last thread of a round,
/// and where there is none.
void Scheduler::wait_at_end_of_round(Site site) {
  if (traces_block || (site != round_site_ && !begin_round(site))) {
    vote_at_barrier(false, site, false);
    return;
  }
  ++progress_;
  const bool is_last = current_ + 1 == thread_count_;
  if (is_last) {
    round_site_ = {};
    ++barriers_passed_;
    if (let_next_block_catch_up()) return;
  }
  switch_to(is_last ? 0 : current_ + 1);
}

/// A round begins with the first thread of a block in which no other thread waits or has ended.
bool Scheduler::begin_round(Site site) {
  const bool can_begin = current_ == 0 && living_ == thread_count_ && thread_count_ > 1 &&
                         runnable_.size() == thread_count_ && round_site_ == Site{};
  if (can_begin) round_site_ = site;
  return can_begin;
}

void Scheduler::leave_round() {
  if (round_site_ == Site{}) return;
  barrier_.site = round_site_;
  barrier_.arrived = current_;
  round_site_ = {};
  for (unsigned position = 0; position < current_; ++position) {
    threads_[position].waits_for = WaitsFor::barrier;
    runnable_.erase(position);
    at_barrier_.insert(position);
  }
}

}  // namespace tilelab::emulator
