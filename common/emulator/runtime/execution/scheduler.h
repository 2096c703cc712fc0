#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "cuda_runtime_api.h"
#include "emulated/barriers.h"
#include "emulated/launch.h"
#include "emulated/warp_functions.h"
#include "emulator/emulator.h"
#include "emulator/runtime/blocks/cluster.h"
#include "emulator/runtime/blocks/order.h"
#include "emulator/runtime/blocks/position_set.h"
#include "emulator/runtime/blocks/tile_values.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/execution/fiber.h"
#include "emulator/runtime/execution/pace.h"
#include "emulator/runtime/execution/warp_results.h"
#include "emulator/runtime/host_thread.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/recording/block_times.h"

/// Runs the blocks of a grid one after the other, and the threads of a block as fibers.
namespace tilelab::emulator {

/// A thread that does not wait needs no fiber of its own: whichever fiber is running calls the
/// threads that have not started yet, one after the other. When a thread has to wait, its fiber
/// stays with it and another fiber continues.
class Scheduler {
 public:
  Scheduler();
  ~Scheduler();

  /// The only one in the process.
  static Scheduler& instance();

  /// The scheduler while a kernel runs on this thread of the host, otherwise null.
  static Scheduler* running() { return host_thread_ == this_host_thread() ? &instance() : nullptr; }
  /// The scheduler while a kernel runs on any thread of the host.
  static const Scheduler* running_anywhere() {
    return host_thread_ != nullptr ? &instance() : nullptr;
  }

  void set_order(Order order, std::uint64_t seed);

  /// Returns when every block has run, or after a fault.
  /// @param only   the numbers of the blocks that run, if that is not all. They form no clusters.
  /// @param times  hears which block runs, if anybody wants to know
  void run(const KernelCall& kernel, const LaunchConfiguration& configuration,
           const std::vector<std::uint64_t>* only = nullptr, BlockTimes* times = nullptr);

  // What kernels call.
  void wait_at_barrier(Site site);
  BarrierResult vote_at_barrier(bool predicate, Site site, bool brings_value = true);
  std::uint64_t warp_collective(const WarpRequest& request, Site site);
  /// The lanes that wait at this __activemask(). Notes it if these are not all of the warp.
  unsigned branch_mask(Site site);
  /// The running thread is in a loop that may wait for other threads.
  void spin();
  void wait_at_tile_barrier(unsigned first, unsigned threads, std::uint64_t value, Site site);
  std::uint64_t value_at_tile_barrier(unsigned rank) const;
  void wait_at_grid_barrier(Site site);
  bool is_cooperative() const { return configuration_->is_cooperative; }
  void arrive_at_cluster_barrier(Site site);
  void wait_at_cluster_barrier(Site site);
  void* map_shared_rank(const void* address, unsigned rank, Site site);
  int query_shared_rank(const void* address);

  const LaunchConfiguration& configuration() const { return *configuration_; }
  /// The cluster of the running block; null if it has none.
  const Cluster* cluster() const { return cluster_; }

  /// The running thread waits until wake() is called for it.
  /// @param what  where it waits, for the sentence about a deadlock
  void wait_for_wake(WaitsFor kind, const char* what, Site site);
  void wake(unsigned rank);
  /// Other threads that can continue run first.
  void let_others_run();
  /// Whether the next asynchronous copy happens at once, not when somebody waits for it.
  bool copies_early();
  /// Says anew what the threads wait for.
  void rename_wait(const std::vector<unsigned>& ranks, const char* what);
  unsigned current_rank() const { return threads_[current_].rank; }

  /// For the listener. The running thread waits until resume() is called for it.
  void pause();
  void resume(unsigned rank);

  unsigned living_lanes(unsigned warp) const { return warps_[warp].living; }
  /// The ranks of the block's threads that have not ended.
  std::vector<unsigned> living_threads() const;
  /// Where the threads of the block wait that have come to a barrier.
  Site barrier_site() const { return barrier_.site; }
  /// Whether threads want to know there what the others say.
  bool barrier_brings_value() const { return barrier_.brings_value; }
  uint3 thread_index(unsigned rank) const { return threads_[position_of_[rank]].index; }

  /// Makes the error sticky, names the running kernel, block and thread in its sentence, and leaves
  /// the launch. Kernels call it, and signal handlers that run on behalf of kernels.
  [[noreturn]] void fault(cudaError_t error, const char* sentence);

  /// Whether the address is on the stack of any thread, or was when a kernel ran.
  bool is_on_stack(const void* address) const;

  const Fiber& running_fiber() const { return *running_fiber_; }

  /// Grows whenever a thread finishes or waits for others. Waiting for the listener does not count:
  /// in an endless loop all threads do it again and again.
  std::uint64_t progress() const { return progress_; }
  /// How many threads have finished, of all launches.
  std::uint64_t threads_ended() const { return threads_ended_; }

  /// How often a block's threads have met at a barrier, in all launches.
  std::uint64_t barriers_passed() const { return barriers_passed_; }

  /// How many blocks the launch has, and how many of them have begun.
  std::uint64_t block_count() const { return block_count_; }
  std::uint64_t blocks_begun() const { return blocks_begun_; }
  /// How many of them have ended.
  std::uint64_t blocks_ended() const { return blocks_begun_ - 1 - waiting_blocks_.size(); }
  /// See Pace.
  double seconds_per_block() const { return pace_.seconds_per_block(blocks_ended()); }

  /// Whether the running thread is in a loop that may wait for others, and none of them gets
  /// further.
  bool waits_in_a_loop() const { return spinning_thread_ != nobody && spin_progress_ == progress_; }

  /// "kernel NAME, block (x,y,z)" and "..., thread (x,y,z)" of what is running, in static buffers.
  const char* describe_running_block() const;
  const char* describe_running_thread() const;
  /// " 3 threads (first: (1,0,0)) wait at __syncthreads() in a.cu:5; ..." for the running block, in
  /// a static buffer; "" if none of its threads waits.
  const char* describe_waits() const;

 private:
  /// On the stack of a thread that waits for more than a barrier.
  struct Wait {
    Site site{};
    const WarpRequest* request = nullptr;
    const char* what = nullptr;  // what it waits for, if that is no warp operation
    std::uint64_t result = 0;    // what its warp operation returns
  };

  // Small, because a barrier goes through all of them.
  struct Thread {
    Fiber* fiber = nullptr;  // null before the thread starts
    uint3 index{};
    std::uint16_t rank = 0;  // x + y * Dx + z * Dx * Dy
    WaitsFor waits_for = WaitsFor::nothing;
    Wait* wait = nullptr;
  };

  struct Warp {
    unsigned living = 0;
    unsigned waiting = 0;  // lanes at a warp operation
  };

  struct Barrier {
    unsigned arrived = 0;
    Site site{};
    int count = 0;  // predicates that were not 0
    bool brings_value = false;
    BarrierResult result{};
  };

  /// What a block waits for that was put aside.
  enum class BlockWaits { in_a_loop, at_barrier, past_grid_barrier, past_cluster_barrier };
  struct WaitingBlock;

  static void* fiber_main();
  Fiber* run_threads();
  Fiber* finish_current_thread();

  void prepare_threads();
  void order_block();
  bool begin_next_block();
  void note_block_runs();
  void make_current(unsigned position);

  Fiber* take_idle_fiber();
  void yield();
  void switch_to(unsigned position);
  unsigned next_runnable();

  void switch_to_current();
  [[gnu::noinline]] Fiber* finish_block();
  Fiber* continue_with(unsigned position);
  /// Loads the stack of the thread that most likely runs after the next one. Threads with other
  /// stacks run until then, which is as long as that takes.
  // Not inlined, it would have no effect, and be dropped.
  [[gnu::always_inline]] void prefetch_stack() const {
    const Fiber* const fiber = threads_[current_ + 1].fiber;
    if (fiber == nullptr) return;
    const auto* const frame = static_cast<const char*>(fiber->stack_pointer);
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + 64);
    __builtin_prefetch(frame + 128);
  }
  bool polls_in_vain();
  /// Another block runs, or none.
  void forget_turns() { spinning_thread_ = polling_thread_ = nobody; }
  bool let_other_block_run();
  bool let_next_block_catch_up();
  bool has_room_for_block() const;
  void put_block_aside(BlockWaits waits);
  void take_block_up(std::size_t place);
  bool take_up_waiting_block();
  bool run_another_block();
  bool leave_waiting_block();
  void forget_waiting_blocks();

  [[gnu::noinline]] void wait_at_end_of_round(Site site);
  bool begin_round(Site site);
  void leave_round();
  void release_barrier();
  void arrive_with_block();
  bool open_grid_barrier();
  void wake_at_grid_barrier();
  [[noreturn]] void report_skipped_grid_barrier();
  Site site_of(const Thread& thread) const {
    return thread.waits_for == WaitsFor::barrier ? barrier_.site : thread.wait->site;
  }

  uint3 block_of_cluster(std::uint64_t number) const;
  void enter_cluster();
  void leave_cluster();
  unsigned cluster_rank() const;
  Cluster& own_cluster();
  void open_cluster_barrier();
  void wake_at_cluster_barrier();
  void exit_from_cluster(unsigned rank);
  bool waits_at_cluster_barrier() const;
  bool is_living(unsigned rank) const {
    return (warps_[rank / warp_lanes].living >> rank % warp_lanes & 1) != 0;
  }
  Thread& thread_of(unsigned warp, unsigned lane) {
    return threads_[position_of_[warp * warp_lanes + lane]];
  }
  void check_request(const WarpRequest& request, unsigned lane);
  void tell_branch_mask(unsigned warp, unsigned leader);
  WarpRequests gather(unsigned warp, unsigned lanes);
  bool can_complete(unsigned warp, unsigned leader);
  void complete(unsigned warp, unsigned participants);
  void tell_undefined_shuffles(unsigned warp, const WarpRequests& requests);
  bool complete_active_masks();
  void complete_after_exit(unsigned warp);

  [[noreturn]] void report_divergent_barrier(Site site);
  [[noreturn]] void report_deadlock();
  [[noreturn]] void leave_launch();
  void forget_fibers();

  Order chosen_order_ = Order::ascending;
  std::uint64_t seed_ = 0;
  Random random_{0};

  // The launch.
  const KernelCall* kernel_ = nullptr;
  const LaunchConfiguration* configuration_ = nullptr;
  std::optional<BlockOrder> block_order_;
  const std::vector<std::uint64_t>* only_ = nullptr;  ///< Null if all blocks run.
  BlockTimes* times_ = nullptr;                       ///< Null if nobody wants to know.
  std::uint64_t blocks_begun_ = 0;
  std::uint64_t block_count_ = 0;
  unsigned thread_count_ = 0;
  Pace pace_;

  // The block. Threads are named by their position in the running order.
  std::array<Thread, device_limits::threads_per_block + 2> threads_{};  // the last two never start
  std::array<unsigned, device_limits::threads_per_block> position_of_{};  // by rank
  std::array<Warp, device_limits::threads_per_block / warp_lanes> warps_{};
  std::vector<unsigned> branch_masks_;  ///< By rank. Empty as long as there is none.
  std::vector<unsigned> order_;
  PositionSet runnable_;
  PositionSet at_barrier_;
  Barrier barrier_;
  /// If all threads run in order to a barrier, and those before the running one wait there: where
  /// it is. The sets of threads and the counts do not tell so until leave_round().
  Site round_site_{};
  TileValues tile_values_;
  unsigned at_grid_barrier_ = 0;
  unsigned living_ = 0;
  unsigned current_ = 0;

  // Threads that wait in loops of their own, and blocks that wait for other blocks.
  static constexpr unsigned nobody = ~0u;
  unsigned spin_rounds_ = 0;
  unsigned spinning_thread_ = nobody;  // the first since anybody got further
  std::uint64_t spin_progress_ = 0;
  unsigned polling_thread_ = nobody;        // the first to have a turn since a thread ended
  unsigned turns_ = 0, own_turns_ = 0;      // since then: of the block, and of this thread
  std::uint64_t ended_before_turns_ = 0;    // threads
  bool has_spun_ = false;                   // whether any thread of the launch has
  std::uint64_t barriers_before_stop_ = 0;  // of the running block, until it lets others catch up
  std::uint64_t block_number_ = 0;          // of the running block
  std::deque<std::unique_ptr<WaitingBlock>> waiting_blocks_;  // in the order in which they came
  std::vector<std::unique_ptr<Cluster>> clusters_;            // that have begun and not ended
  Cluster* cluster_ = nullptr;                                // of the running block, or null
  Site grid_barrier_site_{};
  std::optional<uint3> ended_block_;  // a block that has ended since the grid's last barrier

  // The fibers.
  Fiber launcher_;
  Fiber* running_fiber_ = nullptr;
  static inline const void* host_thread_ = nullptr;  // that the kernel runs on
  std::deque<Fiber> all_fibers_;
  std::vector<Fiber*> idle_fibers_;
  std::uint64_t progress_ = 0;
  std::uint64_t threads_ended_ = 0;
  std::uint64_t barriers_passed_ = 0;
};

}  // namespace tilelab::emulator
