#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/launch.h"
#include "emulated/site.h"
#include "emulated/warp_functions.h"

/// How the observer hears what the runtime does. Without a listener, this costs a test for null.
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

class Listener {
 public:
  virtual void launch_begins(const KernelCall& kernel,
                             const LaunchConfiguration& configuration) = 0;
  /// Called after a fault as well.
  virtual void launch_ends() = 0;
  virtual void launch_refused(const KernelCall& kernel, const LaunchConfiguration& configuration,
                              cudaError_t error) = 0;

  virtual void block_begins() = 0;
  virtual void block_ends() = 0;
  /// The running block waits for others, and one of them runs: it begins, or it is resumed.
  virtual void block_parks(std::uint64_t number) = 0;
  /// The block waited and runs again. Whether it is traced is as it was.
  virtual void block_unparks(std::uint64_t number) = 0;

  /// The thread starts or continues.
  virtual void thread_runs(unsigned rank) = 0;
  /// The running thread waits until other threads get further.
  virtual void thread_waits(unsigned rank, WaitsFor what) = 0;
  virtual void thread_ends(unsigned rank) = 0;
  /// A thread that waits for its tile or the grid may continue.
  virtual void thread_wakes(unsigned rank) = 0;
  /// Neighboring threads of the block, the running one among them, have met at a tile's barrier.
  virtual void threads_meet(unsigned first, unsigned threads) = 0;

  /// The running thread has started the copy that the hooks told of last.
  /// @param read_batch  stands for what it reads, which may be complete earlier
  virtual void copy_issued(std::uint32_t batch, std::uint32_t read_batch) = 0;
  /// It reads through the async proxy, which sees what threads wrote once they have fenced it.
  virtual void copy_reads_by_proxy(Site site) = 0;
  /// The running thread passes such a fence.
  virtual void async_proxy_fenced() = 0;
  /// The running thread has waited for all copies of the batch.
  virtual void copies_waited_for(std::uint32_t batch) = 0;
  // A barrier in shared memory: what threads did before they arrived at it comes before what
  // others do after they have passed the phase.
  virtual void barrier_initialized(const void* barrier) = 0;
  /// Whether its initialization comes before what the running thread does now.
  virtual bool barrier_is_ready(const void* barrier) = 0;
  virtual void barrier_arrived(const void* barrier, std::uint64_t phase) = 0;
  /// @param batch  the copies that the phase waited for, or 0
  virtual void barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch) = 0;
  /// A mistake that does not end the launch.
  virtual void barrier_misused(Site site, const char* sentence) = 0;

  /// All blocks wait for the grid and may continue now.
  virtual void grid_barrier_opens() = 0;

  /// The running thread has arrived at the barrier of its cluster.
  virtual void cluster_arrived() = 0;
  /// The running thread has waited there.
  virtual void cluster_passed() = 0;
  /// All threads of the running block's cluster have arrived and may continue.
  virtual void cluster_barrier_opens() = 0;

  /// Every thread of the block that has not ended waits at the barrier and may continue now.
  virtual void barrier_opens() = 0;
  /// The same, but some threads have ended and never came.
  virtual void barrier_skipped(Site site, unsigned threads, unsigned block_threads) = 0;
  /// The running thread is about to ask for a warp operation.
  virtual void warp_operation_begins() = 0;
  /// The lanes wait for the operation and may continue now.
  virtual void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) = 0;

  /// The thread gets the value of a lane that does not take part in its shuffle.
  virtual void shuffle_is_undefined(Site site, uint3 thread, unsigned lane, unsigned mask) = 0;

  /// Called before the fault that this leads to.
  virtual void barrier_diverges(Site site, uint3 thread, Site other_site, uint3 other_thread) = 0;
  virtual void threads_deadlock() = 0;

  virtual void memory_allocated(const void* begin, std::size_t bytes) = 0;
  virtual void memory_released(const void* begin, std::size_t bytes) = 0;
  /// Host code wrote device memory, or a variable, through the runtime.
  virtual void memory_written(const void* begin, std::size_t bytes) = 0;
  /// The runtime copied device memory, or a variable, to device memory or a variable.
  virtual void memory_copied(const void* to, const void* from, std::size_t bytes) = 0;
  /// The runtime copies a variable to the host, in a direction that does not say so.
  virtual void variable_read(const void* begin, std::size_t bytes) = 0;
  virtual void device_reset() = 0;

  // What the host does about streams, in the order of its calls.
  virtual void stream_created(cudaStream_t stream, bool waits_for_default) = 0;
  virtual void event_recorded(cudaEvent_t event, cudaStream_t stream) = 0;
  virtual void stream_waits(cudaStream_t stream, cudaEvent_t event) = 0;
  virtual void host_waits(cudaStream_t stream) = 0;
  virtual void host_waits_for_event(cudaEvent_t event) = 0;
  virtual void host_waits_for_device() = 0;
  /// The runtime copies or fills memory, as part of a stream's work.
  /// @param call  the name of its function
  virtual void stream_copy_begins(cudaStream_t stream, const char* call) = 0;
  virtual void stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) = 0;
  virtual void stream_copy_ends() = 0;

  /// A call of the submission begins. The stack below the address belongs to it.
  virtual void call_begins(const void* stack_limit) = 0;
  virtual void call_ends() = 0;
  /// Whether the runtime may write this host memory on behalf of the submission.
  virtual bool may_write_host(const void* begin, std::size_t bytes) = 0;

  /// Page-locked host memory.
  virtual void* allocate_host(std::size_t bytes) = 0;
  /// Returns false if the memory does not come from allocate_host().
  virtual bool release_host(void* pointer) = 0;

 protected:
  ~Listener() = default;
};

/// Null if nothing listens.
inline Listener* listener = nullptr;

/// Whether the listener wants to hear what the threads of the running block do. It decides when the
/// block begins.
inline bool traces_block = false;

/// The same calls, out of line, to keep them out of the scheduler's hot paths.
namespace tell {

[[gnu::cold]] void block_begins();
[[gnu::cold]] void block_ends();
[[gnu::cold]] void thread_runs(unsigned rank);
[[gnu::cold]] void thread_waits(unsigned rank, WaitsFor what);
[[gnu::cold]] void thread_ends(unsigned rank);
[[gnu::cold]] void barrier_opens();
[[gnu::cold]] void warp_operation_begins();
[[gnu::cold]] void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation);

}  // namespace tell

}  // namespace tilelab::emulator
