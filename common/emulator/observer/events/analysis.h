#pragma once

#include <cstdint>
#include <span>

#include "contract/detail.h"
#include "emulator/observer/events/scope.h"
#include "emulator/observer/events/warp_access.h"
#include "emulator/observer/options.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/listener.h"
#include "report/report.h"

namespace tilelab::emulator {

/// One of the observer's jobs. An analysis overrides the events that it cares about: those of the
/// runtime (Listener), and those of the dispatcher, which are below. It adds what it learns to the
/// report or to the findings.
class Analysis : public Listener {
 public:
  /// What happens all the time. Only those hear of it who ask for it.
  struct Wants {
    bool accesses = false;         ///< take()
    bool thread_order = false;     ///< take_alone(). Then take() leaves out blocks in thread order.
    bool stores = false;           ///< before_store(), copy_stores() and after_store()
    bool untraced_stores = false;  ///< untraced_store()
  };
  virtual Wants wants() const { return {}; }
  /// The least detail of an observation for which it has to hear of blocks and accesses.
  virtual Detail needs() const { return Detail::counts; }

  /// Whether it looks for what is no mistake.
  virtual bool is_remark() const { return false; }

  virtual void observation_begins(const ObserverOptions&) {}
  /// The observation ends.
  virtual void add_to(report::Report&) {}
  virtual void launch_begins(const KernelCall&, const LaunchConfiguration&) {}
  virtual void launch_ends() {}
  /// The launch was observed, and has ended.
  virtual void add_to(report::LaunchReport&) {}

  // Of traced blocks, and only for an observation with the detail that the analysis needs.
  /// The block `blockIdx` begins.
  virtual void block_begins() {}
  /// All its threads have ended, and all that they did was taken.
  virtual void block_ends() {}
  /// A fault ends the launch, and the block with it. All that its threads did was taken.
  virtual void block_is_abandoned() {}
  /// Another block runs next.
  virtual void block_parks(std::uint64_t /*number*/) {}
  virtual void block_unparks(std::uint64_t /*number*/) {}
  /// From now until the block ends, its accesses are taken in the order of each thread, too, before
  /// the thread tells others or learns from them.
  virtual void thread_order_begins() {}
  /// All threads of the block have reached the barrier, and all that they did was taken.
  virtual void barrier_opens() {}
  /// All blocks of the grid, or of the cluster, have met: what they did comes before what they will
  /// do.
  virtual void grid_barrier_opens() {}
  virtual void cluster_barrier_opens() {}
  /// Threads of a block in thread order have met at a barrier of their own.
  virtual void threads_meet(std::span<const unsigned> /*ranks*/) {}

  // What wants() asks for.
  /// The lanes of a warp made an access together, in one memory space. Whether their logs were put
  /// together or one hook told of all lanes makes no difference.
  virtual void take(const WarpAccess&) {}
  /// A thread of a block in thread order made an access that belongs to no asynchronous copy.
  virtual void take_alone(Event, unsigned /*thread*/) {}
  /// The thread is about to make this store, or atomic operation.
  /// @return whether after_store() has to follow
  virtual bool before_store(Event, unsigned /*thread*/, const void* /*memory*/) { return false; }
  /// The thread starts an asynchronous copy that will make this store.
  virtual void copy_stores(Event, unsigned /*thread*/) {}
  /// The store that before_store() was called for has happened.
  virtual void after_store() {}
  /// A thread of a block that is not traced makes this store, or atomic operation.
  virtual void untraced_store(Event) {}

 protected:
  ~Analysis() = default;

  /// The rank of the running thread.
  static unsigned running_thread() { return Scheduler::instance().current_rank(); }
};

/// Numbers the points at which threads order what they do with others: fences, and meetings of a
/// warp's lanes.
class PointSource {
 public:
  /// The thread passes a fence.
  /// @return the number of the point
  virtual std::uint32_t fence(unsigned thread, Scope scope) = 0;
  /// The thread is about to make an atomic operation of this order.
  /// @return the number of the point
  virtual std::uint32_t order(unsigned thread, MemoryOrder order) = 0;
  /// The thread's next compare-and-swap changes nothing.
  virtual void swap_fails(unsigned thread) = 0;
  /// The running thread waits for what it reads there.
  virtual void polls(Event event) = 0;
  /// The thread is about to make this atomic operation, or to read a volatile variable.
  /// @param log  what it did before, as far as its log was not put together with others
  /// @return the number of the point, or 0
  virtual std::uint32_t read_strongly(Event event, unsigned thread, std::span<const Event> log) = 0;
  /// The lanes meet at __syncwarp().
  /// @return the number of the point
  virtual std::uint32_t sync(unsigned warp, std::uint32_t lanes) = 0;
  /// The lanes' logs were put together up to that point.
  virtual void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) = 0;
  /// Whether this store of the thread's takes the place of another's, in no order with it. Nobody
  /// can tell afterwards which of the two the thread has read.
  virtual bool hides_write(Event event, unsigned thread) = 0;
  /// What the thread did, before another block runs, or others rely on it. Its logs are not put
  /// together yet.
  virtual void take_early(unsigned thread, const Event* begin, const Event* end, bool is_first) = 0;
  /// Whether another thread of the block wrote the byte before this read of the thread's, and the
  /// thread may rely on that. The writer's log may be put together after the reader's, which is put
  /// together up to the read.
  virtual bool was_written_before(unsigned thread, Code read, std::uint32_t byte) const = 0;
  /// The epoch that the running block is in. It is another one after other blocks ran.
  virtual std::uint32_t epoch() const = 0;
  /// What follows in the lanes' logs is of this epoch.
  virtual void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) = 0;

 protected:
  ~PointSource() = default;
};

}  // namespace tilelab::emulator
