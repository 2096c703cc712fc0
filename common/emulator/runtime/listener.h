#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "emulated/launch.h"
#include "emulated/site.h"
#include "emulated/warp_functions.h"

/// How the observer hears what the runtime does. Without an observer, this costs a test.
namespace tilelab::emulator {

/// What a thread waits for.
enum class WaitsFor : std::uint8_t {
  nothing,
  barrier,
  warp,
  tile,
  async_barrier,
  grid,
  cluster,
  listener
};

/// Hears of what happens now and then. A listener overrides the events that it cares about; tell()
/// tells all listeners of one.
class Listener {
 public:
  virtual void launch_refused(const KernelCall&, const LaunchConfiguration&, cudaError_t) {}

  virtual void memory_allocated(const void* /*begin*/, std::size_t /*bytes*/) {}
  virtual void memory_released(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// Host code wrote device memory, or a variable, through the runtime.
  virtual void memory_written(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// The runtime copied device memory, or a variable, to device memory or a variable.
  virtual void memory_copied(const void* to, const void* /*from*/, std::size_t bytes) {
    memory_written(to, bytes);
  }
  /// The runtime copied device memory to the host.
  virtual void memory_copied_to_host(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// The runtime copies a variable to the host, in a direction that does not say so.
  virtual void variable_read(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// cudaGetSymbolAddress() told the address of a variable.
  /// @param bytes  the largest number if that is not known
  virtual void symbol_address_told(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// Host code frees memory that it has freed before.
  virtual void memory_freed_twice(const void* /*memory*/) {}
  /// All memory was released.
  virtual void device_reset() {}

  // What the host does about streams, in the order of its calls.
  virtual void stream_created(cudaStream_t, bool /*waits_for_default*/) {}
  virtual void event_recorded(cudaEvent_t, cudaStream_t) {}
  virtual void stream_waits(cudaStream_t, cudaEvent_t) {}
  /// The stream runs a graph: steps in an order in which they can run.
  /// @param branches  whether not each of them runs after the one before
  virtual void graph_begins(cudaStream_t, const void* /*executable*/, bool /*branches*/) {}
  /// @param after  the numbers of those that it runs after
  virtual void graph_step_begins(std::span<const std::size_t> /*after*/) {}
  virtual void graph_ends() {}
  virtual void host_waits(cudaStream_t) {}
  virtual void host_waits_for_event(cudaEvent_t) {}
  virtual void host_waits_for_device() {}
  /// Host code frees memory, and does not wait for work that may use it.
  virtual void host_frees(const void* /*begin*/, std::size_t /*bytes*/) {}
  /// The runtime copies or fills memory, as part of a stream's work.
  /// @param call  the name of its function
  virtual void stream_copy_begins(cudaStream_t, const char* /*call*/) {}
  virtual void stream_copy_accesses(const void* /*begin*/, std::size_t /*bytes*/, bool /*writes*/) {
  }
  virtual void stream_copy_ends() {}

  /// The runtime calls a function of the program, as part of a stream's work.
  virtual void host_function_begins(cudaStream_t) {}
  virtual void host_function_ends() {}

  /// A call of the submission begins. The stack below the address belongs to it.
  virtual void call_begins(const void* /*stack_limit*/) {}
  /// Its function has returned. Work of its streams may go on.
  virtual void call_returns() {}
  virtual void call_ends() {}

  // Mistakes that do not end the launch.
  /// Threads have ended, and the others of the block have come to a barrier.
  virtual void barrier_skipped(Site, unsigned /*threads*/, unsigned /*block_threads*/) {}
  virtual void barrier_misused(Site, const char* /*sentence*/) {}
  /// The thread gets the value of a lane that does not take part in its shuffle.
  virtual void shuffle_is_undefined(Site, uint3 /*thread*/, unsigned /*lane*/, unsigned /*mask*/) {}

  /// It shuffles or reduces with a mask from __activemask(), in a branch.
  virtual void branch_mask_used(Site, uint3 /*thread*/, const char* /*function*/) {}

  // Mistakes that do, before it ends.
  virtual void barrier_diverges(Site, uint3 /*thread*/, Site /*other*/, uint3 /*other_thread*/) {}
  virtual void threads_deadlock() {}

  /// The running thread of a traced block starts no further copy that belongs to the batch.
  /// @param batch  as copy_issued() names what the copies read
  virtual void copies_committed(std::uint32_t /*batch*/, Site) {}

  // What orders threads. tell_exchange() tells of these, when the log of the running thread is
  // empty.
  /// The running thread has started the copy that the hooks told of last.
  /// @param read_batch  stands for what it reads, which may be complete earlier
  virtual void copy_issued(std::uint32_t /*batch*/, std::uint32_t /*read_batch*/) {}
  /// It reads through the async proxy, which sees what threads wrote once they have fenced it.
  virtual void copy_reads_by_proxy(Site) {}
  /// The running thread passes such a fence.
  virtual void async_proxy_fenced() {}
  /// The running thread has waited for all copies of the batch.
  virtual void copies_waited_for(std::uint32_t /*batch*/, Site) {}
  // A barrier in shared memory: what threads did before they arrived at it comes before what
  // others do after they have passed the phase.
  virtual void barrier_initialized(const void* /*barrier*/, Site) {}
  /// The running thread is about to use it.
  /// @param verb  what for, such as "arrives at"
  virtual void barrier_used(const void* /*barrier*/, const char* /*verb*/, Site,
                            Site /*initialized*/) {}
  virtual void barrier_arrived(const void* /*barrier*/, std::uint64_t /*phase*/) {}
  /// @param batch  the copies that the phase waited for, or 0
  virtual void barrier_passed(const void* /*barrier*/, std::uint64_t /*phase*/,
                              std::uint32_t /*batch*/, Site) {}
  /// The running thread has arrived at the barrier of its cluster.
  virtual void cluster_arrived() {}
  /// The running thread has waited there.
  virtual void cluster_passed() {}

 protected:
  ~Listener() = default;
};

/// Everybody who listens.
inline std::span<Listener* const> listeners;

/// Tells all listeners of an event: tell(&Listener::memory_released, begin, bytes).
template <class... Parameters>
void tell(void (Listener::*event)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  for (Listener* const one : listeners) (one->*event)(arguments...);
}

/// Hears how launches, blocks and threads proceed. There is one at most, because this happens all
/// the time, and because it has to empty the threads' logs before others hear of it.
class ProgressListener {
 public:
  virtual void launch_begins(const KernelCall& kernel,
                             const LaunchConfiguration& configuration) = 0;
  /// Called after a fault as well.
  virtual void launch_ends() = 0;

  virtual void block_begins() = 0;
  virtual void block_ends() = 0;
  /// The running block waits for others, and one of them runs: it begins, or it is resumed.
  virtual void block_parks(std::uint64_t number) = 0;
  /// The block waited and runs again. Whether it is traced is as it was.
  virtual void block_unparks(std::uint64_t number) = 0;
  /// All blocks wait for the grid and may continue now.
  virtual void grid_barrier_opens() = 0;
  /// All threads of the running block's cluster have arrived and may continue.
  virtual void cluster_barrier_opens() = 0;

  // The rest is told of traced blocks only.
  /// The thread starts or continues.
  virtual void thread_runs(unsigned rank) = 0;
  /// The running thread waits until other threads get further.
  virtual void thread_waits(unsigned rank, WaitsFor what) = 0;
  virtual void thread_ends(unsigned rank) = 0;
  /// A thread that waits for its tile or the grid may continue.
  virtual void thread_wakes(unsigned rank) = 0;
  /// The running thread looks at the condition of a loop in which it may wait for others.
  virtual void thread_polls() = 0;
  /// Neighboring threads of the block, the running one among them, have met at a tile's barrier.
  virtual void threads_meet(unsigned first, unsigned threads) = 0;
  /// Every thread of the block that has not ended waits at the barrier and may continue now.
  virtual void barrier_opens() = 0;
  /// The running thread is about to ask for a warp operation.
  virtual void warp_operation_begins() = 0;
  /// The lanes wait for the operation and may continue now.
  virtual void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) = 0;

  /// The running thread tells others what it did, or learns from them.
  /// @return false if nobody cares
  virtual bool exchange_begins() = 0;

 protected:
  ~ProgressListener() = default;
};

/// Null if nobody listens.
inline ProgressListener* progress_listener = nullptr;

/// Whether the listeners want to hear what the threads of the running block do. The progress
/// listener decides it when the block begins.
inline bool traces_block = false;

/// Tells all listeners of an event by which the running thread tells others what it did, or learns
/// from them.
template <class... Parameters>
void tell_exchange(void (Listener::*event)(Parameters...),
                   std::type_identity_t<Parameters>... arguments) {
  if (traces_block && progress_listener->exchange_begins()) tell(event, arguments...);
}

}  // namespace tilelab::emulator
