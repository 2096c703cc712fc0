#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/block_sample.h"
#include "emulator/observer/clusters/cluster_detector.h"
#include "emulator/observer/counts/merged_launches.h"
#include "emulator/observer/counts/traffic.h"
#include "emulator/observer/events/check.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/allocations.h"
#include "emulator/observer/memory/byte_set.h"
#include "emulator/observer/memory/kernel_memory.h"
#include "emulator/observer/memory/memory_names.h"
#include "emulator/observer/memory/provenance.h"
#include "emulator/observer/merge/block_logs.h"
#include "emulator/observer/options.h"
#include "emulator/observer/races/race_detector.h"
#include "emulator/observer/races/uninitialized_reads.h"
#include "emulator/observer/streams/stream_races.h"
#include "emulator/observer/trace/tracer.h"
#include "emulator/runtime/listener.h"
#include "report/report.h"

namespace tilelab::emulator {

/// Hears what the runtime and the hooks tell, and forwards it to the parts of the observer. Each
/// part owns one analysis: which memory a kernel may access, what the lanes of a warp did together,
/// and the checks of what they did.
class Dispatcher final : public Listener, private WarpSink {
 public:
  /// The only one in the process. It listens from the beginning.
  static Dispatcher& instance();

  void start(const ObserverOptions& options);
  report::Report take_report();
  void name(const void* pointer, const char* name, std::size_t element_bytes, std::size_t elements);
  void note_input(const void* pointer, std::size_t bytes);
  void note_unwritten(const void* pointer, std::size_t bytes);
  std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                           std::size_t elements) const;

  // For the hooks.
  bool is_calling() const { return is_calling_; }
  bool runs_kernel() const { return is_kernel_thread(); }
  const KernelMemory& kernel_memory() const { return kernel_memory_; }
  const Allocations& allocations() const { return allocations_; }
  const MemoryNames& names() const { return names_; }
  FindingLog& findings() { return findings_; }
  void log_is_full() { logs_.make_room(); }
  void before_store(Event event);
  void acquire(Event event);
  /// The running thread passes a fence.
  /// @param is_device_wide  whether it orders more than the block
  void fence(bool is_device_wide);
  /// The running thread is about to start a copy, whose accesses follow.
  void copy_begins(const void* from, unsigned source_bytes, CopyKind kind);
  void copy_ends(const void* from, unsigned source_bytes, Code load);
  /// The running thread is about to add 1 atomically, without looking at the result.
  /// @param place  the return address of the hook's call
  void increments(std::uintptr_t place) { increments_.note(place); }
  /// Host code reads memory, or writes its own.
  void host_reads(std::uintptr_t address, std::size_t bytes);
  void host_writes(std::uintptr_t address, std::size_t bytes);

  // Listener
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void launch_ends() override;
  void launch_refused(const KernelCall& kernel, const LaunchConfiguration& configuration,
                      cudaError_t error) override;
  void block_begins() override;
  void block_ends() override;
  void block_parks(std::uint64_t number) override;
  void block_unparks(std::uint64_t number) override;
  void thread_runs(unsigned rank) override;
  void thread_waits(unsigned rank, WaitsFor what) override;
  void thread_ends(unsigned rank) override;
  void thread_wakes(unsigned rank) override;
  void threads_meet(unsigned first, unsigned threads) override;
  void copy_issued(std::uint32_t batch, std::uint32_t read_batch) override;
  void copy_reads_by_proxy(Site site) override;
  void async_proxy_fenced() override;
  void copies_waited_for(std::uint32_t batch) override;
  void barrier_initialized(const void* barrier) override;
  bool barrier_is_ready(const void* barrier) override;
  void barrier_arrived(const void* barrier, std::uint64_t phase) override;
  void barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch) override;
  void barrier_misused(Site site, const char* sentence) override;
  void grid_barrier_opens() override;
  void cluster_arrived() override;
  void cluster_passed() override;
  void cluster_barrier_opens() override;
  void barrier_opens() override;
  void barrier_skipped(Site site, unsigned threads, unsigned block_threads) override;
  void warp_operation_begins() override;
  void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) override;
  void shuffle_is_undefined(Site site, uint3 thread, unsigned lane, unsigned mask) override;
  void barrier_diverges(Site site, uint3 thread, Site other_site, uint3 other_thread) override;
  void threads_deadlock() override;
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_released(const void* begin, std::size_t bytes) override;
  void memory_written(const void* begin, std::size_t bytes) override;
  void memory_copied(const void* to, const void* from, std::size_t bytes) override;
  void variable_read(const void* begin, std::size_t bytes) override;
  void device_reset() override;
  void stream_created(cudaStream_t stream, bool waits_for_default) override;
  void event_recorded(cudaEvent_t event, cudaStream_t stream) override;
  void stream_waits(cudaStream_t stream, cudaEvent_t event) override;
  void host_waits(cudaStream_t stream) override;
  void host_waits_for_event(cudaEvent_t event) override;
  void host_waits_for_device() override;
  void stream_copy_begins(cudaStream_t stream, const char* call) override;
  void stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) override;
  void stream_copy_ends() override;
  void call_begins(const void* stack_limit) override;
  void call_ends() override;
  bool may_write_host(const void* begin, std::size_t bytes) override;
  void* allocate_host(std::size_t bytes) override;
  bool release_host(void* pointer) override;

 private:
  Dispatcher();

  /// The last store that before_store() was called for has happened.
  void after_store();
  void count_atomics(const WarpAccess& access);

  // WarpSink
  void take(const WarpAccess& access) override;
  void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) override;
  void take_alone(unsigned thread, const Event* begin, const Event* end) override;

  /// The running thread tells others what it did, or learns from them.
  bool begin_exchange();
  std::vector<unsigned> living_threads() const;
  /// Traces the store of a copy that begins.
  void trace_copy(Event store);
  void exchange(const std::vector<unsigned>& threads);
  bool is_in_sample() const;

  ObserverOptions options_;
  bool is_calling_ = false;  ///< Whether host code of the submission runs, or its kernels.
  bool is_observing_ = false;
  bool is_tracing_ = false;  ///< Whether the running block is traced.
  report::Report report_;
  report::LaunchReport launch_;
  MergedLaunches merged_;
  BlockSample sample_;
  dim3 cluster_;  ///< The extent of the launch's clusters.

  KernelMemory kernel_memory_;
  Allocations allocations_;
  MemoryNames names_;
  Provenance provenance_;
  ByteSet inputs_;  ///< The inputs of the observed call.
  FindingLog findings_;
  Traffic traffic_{copy_, increments_};
  UninitializedReads uninitialized_reads_;
  RaceDetector races_;
  ClusterDetector clusters_;
  StreamRaces streams_;
  Tracer tracer_;
  CopyObserver copy_;
  Increments increments_;
  std::vector<Check*> checks_;  ///< The checks that the options ask for.
  BlockLogs logs_;

  /// A traced block that waits for others.
  struct ParkedBlock {
    std::unique_ptr<BlockLogs::Parked> logs;
    RaceDetector::RunningBlock races;
    std::vector<ByteSet::Word> written;
  };
  std::map<std::uint64_t, ParkedBlock> parked_;  ///< By number.
};

}  // namespace tilelab::emulator
