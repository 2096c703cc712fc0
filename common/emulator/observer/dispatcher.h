#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "emulator/observer/analyses.h"
#include "emulator/observer/block_sample.h"
#include "emulator/observer/counts/merged_launches.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/scope.h"
#include "emulator/observer/merge/block_logs.h"
#include "emulator/observer/options.h"
#include "emulator/observer/unlike_blocks.h"
#include "emulator/runtime/listener.h"
#include "report/report.h"

namespace tilelab::emulator {

/// Hears how kernels proceed and what the hooks tell, keeps the logs of the threads, and tells the
/// analyses of both. Of rare events the runtime tells them itself.
class Dispatcher final : public ProgressListener, private WarpSink {
 public:
  /// The only one in the process. It listens from the beginning.
  static Dispatcher& instance();

  void start(const ObserverOptions& options);
  report::Report take_report();
  Analyses& analyses() { return analyses_; }

  // For the hooks.
  void log_is_full() { logs_.make_room(); }
  void before_store(Event event);
  void read_strongly(Event event);
  /// The running thread passes a fence.
  void fence(Scope scope);
  /// The running thread is about to free memory of the kernels' heap.
  void frees(const void* begin, std::size_t bytes, Code code);
  /// The running thread is about to make an atomic operation of this order.
  void order(MemoryOrder order);
  void swap_fails();
  /// The running thread is about to make an atomic operation, and to compute what it stores.
  void atomic_begins();
  /// What the running thread has read since thread_polls() is what it waits for.
  void poll_ends() { is_polling_ = false; }
  /// The running thread is about to start a copy, whose accesses follow.
  void copy_begins(const void* from, unsigned source_bytes, CopyKind kind);
  void copy_ends(const void* from, unsigned source_bytes, Code load);

  // ProgressListener
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void launch_ends() override;
  void block_begins() override;
  void block_ends() override;
  void block_parks(std::uint64_t number) override;
  void block_unparks(std::uint64_t number) override;
  void grid_barrier_opens() override;
  void cluster_barrier_opens() override;
  void thread_runs(unsigned rank) override;
  void thread_waits(unsigned rank, WaitsFor what) override;
  void thread_ends(unsigned rank) override;
  void thread_wakes(unsigned rank) override;
  void thread_polls() override { is_polling_ = true; }
  void threads_meet(unsigned first, unsigned threads) override;
  void barrier_opens() override;
  void warp_operation_begins() override;
  void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) override;
  bool exchange_begins() override;

 private:
  Dispatcher();

  /// The last store that before_store() was called for has happened.
  void after_store() {
    if (is_store_pending_) [[unlikely]] {
      is_store_pending_ = false;
      for (Analysis* one : of_stores_) one->after_store();
    }
  }
  void cut_off_launch();
  void begin_thread_order();
  /// Threads of a block in thread order have met.
  void meet(std::span<const unsigned> threads);
  std::uint64_t sample_number() const;
  BlockWork work_of(const SeenEvents& seen) const;
  const std::vector<std::uint64_t>& unlike_before() const;

  // WarpSink
  void take(const WarpAccess& access) override;
  void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) override;
  void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) override;
  void take_copy_mark(unsigned warp, std::uint32_t lanes, std::uint32_t number) override;
  void take_early(unsigned thread, const Event* begin, const Event* end, bool is_first) override;
  void show_store(Event event) override;
  void take_alone(unsigned thread, const Event* begin, const Event* end) override;

  ObserverOptions options_;
  bool is_observing_ = false;
  report::Report report_;
  report::LaunchReport launch_;
  MergedLaunches merged_;
  BlockSample sample_;
  UnlikeBlocks unlike_;
  /// The numbers of such blocks in each launch of this observation, and in the one before if that
  /// was of the same call.
  std::vector<std::vector<std::uint64_t>> unlike_numbers_, unlike_numbers_before_;
  std::uint64_t barriers_before_ = 0;  ///< Those of the launches so far, as the block began.
  std::uint64_t times_parked_ = 0;
  std::uint64_t times_parked_before_ = 0;              ///< The same, as the block began.
  std::map<std::uint64_t, SeenEvents> parked_events_;  ///< Of blocks that are not traced.
  AccessShape traced_shape_;                           ///< Of the traced block that runs.
  dim3 cluster_;                                       ///< The extent of the launch's clusters.
  bool begins_in_order_ = false;  ///< Whether its blocks are in thread order from the beginning.

  Analyses analyses_;
  const std::vector<Listener*> listeners_{analyses_.all.begin(), analyses_.all.end()};
  using Some = std::vector<Analysis*>;
  Some active_;  ///< Those that need no more detail than there is.
  // Those of them that want to hear of what happens all the time.
  Some of_warps_;
  Some of_warps_in_thread_order_;
  Some of_threads_;
  Some of_stores_;
  Some of_untraced_stores_;
  bool is_polling_ = false;        ///< Whether the running thread looks at what it waits for.
  bool is_store_pending_ = false;  ///< Whether one of them waits for after_store().

  BlockLogs logs_;
  std::map<std::uint64_t, std::unique_ptr<BlockLogs::Parked>> parked_;  ///< By number.
};

inline Analyses& analyses() { return Dispatcher::instance().analyses(); }

}  // namespace tilelab::emulator
