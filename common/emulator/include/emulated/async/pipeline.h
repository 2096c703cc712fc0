#pragma once

/// cuda::pipeline: copies in stages, which producers fill and consumers empty.

#include <cstdint>

#include "cuda_runtime.h"
#include "emulated/async/barrier_functions.h"
#include "emulated/async/copy_functions.h"
#include "emulated/async/shapes.h"

namespace cuda {

using tilelab::emulator::Site;

enum class pipeline_role { producer, consumer };

/// The barriers of a pipeline that a block shares: for each stage, one that ends a phase when the
/// stage is full, and one that does when it is empty.
template <thread_scope scope, std::uint8_t stages>
struct pipeline_shared_state {
  static_assert(scope == thread_scope_block,
                "the emulator has shared pipelines of a block only: use thread_scope_block");
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;

  std::uint64_t full[stages];
  std::uint64_t empty[stages];
};

template <thread_scope scope>
class pipeline;

/// A pipeline of one thread's own copies.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline(pipeline&&) = default;

  void producer_acquire() {}
  void producer_commit(Site site = Site::current()) { tilelab::emulator::commit_copies(site); }
  void consumer_wait(Site site = Site::current()) {
    tilelab::emulator::wait_for_oldest_copies(site);
  }
  void consumer_release() {}
  bool quit() { return true; }

  /// Copies one chunk for the stage that is being filled.
  void tilelab_copy(void* to, const void* from, unsigned bytes, Site) {
    tilelab::emulator::copy_in_group(to, from, bytes, bytes);
  }

 private:
  pipeline() = default;
  friend pipeline make_pipeline();
};

inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

/// A pipeline of a group of threads.
template <>
class pipeline<thread_scope_block> {
 public:
  pipeline(pipeline&&) = default;

  void producer_acquire(Site site = Site::current()) {
    // A stage is empty at first.
    tilelab::emulator::wait_for_phases(empty_ + head_ % stages_, head_ / stages_, site);
  }
  void producer_commit(Site site = Site::current()) {
    tilelab::emulator::arrive_at_barrier(full_ + head_ % stages_, 1, false, 0, site);
    ++head_;
  }
  void consumer_wait(Site site = Site::current()) {
    tilelab::emulator::wait_for_phases(full_ + tail_ % stages_, tail_ / stages_ + 1, site);
  }
  void consumer_release(Site site = Site::current()) {
    tilelab::emulator::arrive_at_barrier(empty_ + tail_ % stages_, 1, false, 0, site);
    ++tail_;
  }
  /// The thread leaves: the others no longer wait for it.
  bool quit(Site site = Site::current()) {
    for (unsigned stage = 0; stage < stages_; ++stage) {
      if (is_producer_) tilelab::emulator::arrive_at_barrier(full_ + stage, 1, true, 0, site);
      if (is_consumer_) tilelab::emulator::arrive_at_barrier(empty_ + stage, 1, true, 0, site);
    }
    return true;
  }

  /// Copies one chunk for the stage that is being filled.
  void tilelab_copy(void* to, const void* from, unsigned bytes, Site site) {
    tilelab::emulator::copy_for_barrier(full_ + head_ % stages_, to, from, bytes, false, site);
  }

 private:
  template <std::uint8_t stages>
  pipeline(pipeline_shared_state<thread_scope_block, stages>& state, bool is_producer,
           bool is_consumer)
      : full_(state.full),
        empty_(state.empty),
        stages_(stages),
        is_producer_(is_producer),
        is_consumer_(is_consumer) {}

  std::uint64_t* full_;
  std::uint64_t* empty_;
  std::uint64_t stages_;
  std::uint64_t head_ = 0;  // the stages that were committed
  std::uint64_t tail_ = 0;  // the stages that were released
  bool is_producer_;
  bool is_consumer_;

  template <class Group, std::uint8_t stages>
  friend pipeline make_counted_pipeline(const Group& group,
                                        pipeline_shared_state<thread_scope_block, stages>& state,
                                        unsigned producers, unsigned consumers, bool is_producer,
                                        bool is_consumer, Site site);
};

/// The threads of the group meet, as CUDA requires.
template <class Group, std::uint8_t stages>
pipeline<thread_scope_block> make_counted_pipeline(
    const Group& group, pipeline_shared_state<thread_scope_block, stages>& state,
    unsigned producers, unsigned consumers, bool is_producer, bool is_consumer, Site site) {
  if (group.thread_rank() == 0) {
    for (unsigned stage = 0; stage < stages; ++stage) {
      tilelab::emulator::initialize_barrier(state.full + stage, producers, site);
      tilelab::emulator::initialize_barrier(state.empty + stage, consumers, site);
    }
  }
  group.sync(site);
  return {state, is_producer, is_consumer};
}

/// All threads of the group produce and consume.
template <class Group, std::uint8_t stages>
pipeline<thread_scope_block> make_pipeline(const Group& group,
                                           pipeline_shared_state<thread_scope_block, stages>* state,
                                           Site site = Site::current()) {
  const auto threads = static_cast<unsigned>(group.size());
  return make_counted_pipeline(group, *state, threads, threads, true, true, site);
}

/// The first threads of the group produce, the others consume.
template <class Group, std::uint8_t stages>
pipeline<thread_scope_block> make_pipeline(const Group& group,
                                           pipeline_shared_state<thread_scope_block, stages>* state,
                                           std::size_t producer_count,
                                           Site site = Site::current()) {
  const auto threads = static_cast<unsigned>(group.size());
  const auto producers = static_cast<unsigned>(producer_count);
  const bool is_producer = group.thread_rank() < producers;
  return make_counted_pipeline(group, *state, producers, threads - producers, is_producer,
                               !is_producer, site);
}

/// Each thread says what it does.
template <class Group, std::uint8_t stages>
pipeline<thread_scope_block> make_pipeline(const Group& group,
                                           pipeline_shared_state<thread_scope_block, stages>* state,
                                           pipeline_role role, Site site = Site::current()) {
  const bool is_producer = role == pipeline_role::producer;
  const auto threads = static_cast<unsigned>(group.size());
  const auto producers =
      static_cast<unsigned>(tilelab::emulator::vote_at_barrier(is_producer, site).count);
  return make_counted_pipeline(group, *state, producers, threads - producers, is_producer,
                               !is_producer, site);
}

/// Waits for all committed stages of the thread's own pipeline but the last ones.
template <std::uint8_t prior>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&, Site site = Site::current()) {
  tilelab::emulator::wait_for_copies(prior, site);
}

}  // namespace cuda
