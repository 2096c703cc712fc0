#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/observer/counts/traffic.h"
#include "emulator/observer/findings.h"
#include "emulator/observer/memory/byte_set.h"
#include "emulator/observer/merge/lane_log.h"
#include "emulator/observer/merge/warp_merge.h"
#include "emulator/observer/observer.h"
#include "emulator/observer/races/race_detector.h"
#include "emulator/runtime/listener.h"
#include "report/report.h"

/// Listens to the runtime and the hooks, and keeps what becomes the report.
namespace tilelab::emulator {

class Observer final : public Listener, public WarpAccessSink {
 public:
  /// The process's only one; it listens from the beginning.
  static Observer& instance();

  void start(const ObserverOptions& options, const void* stack_limit);
  report::Report take_report();

  // What the hooks' slow ways call.
  void log_is_full();
  void before_store(Event event);
  void fence();
  void append(Event event);
  bool runs_kernel() const { return runs_kernel_; }
  bool is_observing() const { return is_observing_; }
  std::size_t dynamic_shared_bytes() const { return dynamic_shared_bytes_; }
  bool was_freed(std::uintptr_t address) const;

  /// Puts a finding about the running thread's access on record.
  void report_access(report::FindingKind kind, report::MemoryPlace memory, Code code);
  report::MemoryPlace describe(std::uint32_t address, unsigned bytes) const;
  /// The same for an address of the arena that is in no allocation: told by the one below.
  report::MemoryPlace describe_shared(std::int64_t offset, unsigned bytes) const;
  report::MemoryPlace describe_outside(std::uintptr_t address, unsigned bytes) const;
  void name(const void* pointer, const char* text, std::size_t element_bytes, std::size_t elements);
  /// Whether kernels may use these bytes of device memory.
  bool is_addressable(std::uintptr_t address, std::size_t bytes) const;

  // Listener
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void launch_ends() override;
  void launch_refused(const KernelCall& kernel, const LaunchConfiguration& configuration,
                      cudaError_t error) override;
  void block_begins() override;
  void block_ends() override;
  void thread_runs(unsigned rank) override;
  void thread_waits(unsigned rank, WaitsFor what) override;
  void thread_ends(unsigned rank) override;
  void barrier_opens() override;
  void warp_operation_begins() override;
  void warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) override;
  void barrier_diverges(Site site, uint3 thread, Site other_site, uint3 other_thread) override;
  void threads_deadlock() override;
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_released(const void* begin, std::size_t bytes) override;
  void memory_written(const void* begin, std::size_t bytes) override;
  void device_reset() override;
  bool may_write_host(const void* begin, std::size_t bytes) override;
  void* allocate_host(std::size_t bytes) override;
  bool release_host(void* pointer) override;

  // WarpAccessSink
  void take(const WarpAccess& access) override;
  void take_mark(std::uint32_t id, std::uint32_t lanes) override;

 private:
  Observer();

  struct WarpState {
    std::uint32_t busy = 0;     ///< lanes that run or can
    std::uint32_t at_warp = 0;  ///< lanes that wait for a warp operation
    std::uint32_t paused = 0;   ///< lanes whose log is full
  };

  void choose_blocks();
  void save();
  void load(unsigned rank);
  void write_nothing_down();
  void lane_rests(unsigned rank);
  void drain(unsigned warp);
  void drain_all();
  void abandon_block();
  report::Accessor accessor(Code code, uint3 block, unsigned thread) const;
  void report_hit(const RaceDetector::Hit& hit);
  void report_fault();
  void take_in_one_space(const WarpAccess& access);
  void set_addressable(std::uintptr_t begin, std::size_t bytes, bool is_addressable);

  ObserverOptions options_;
  bool is_observing_ = false;
  report::Report report_;

  // The launch.
  bool runs_kernel_ = false;
  const KernelCall* kernel_ = nullptr;
  std::size_t dynamic_shared_bytes_ = 0;
  std::vector<std::uint64_t> chosen_blocks_;  ///< in order; empty: all
  report::LaunchReport launch_;
  Traffic traffic_;
  RaceDetector races_;
  Findings findings_;
  std::vector<report::Finding> findings_outside_;
  bool explained_fault_ = false;
  report::FindingKind fault_kind_ = report::FindingKind::fault;  ///< if it is not explained

  // The block.
  bool is_tracing_ = false;
  std::array<LaneLog, 1024> lanes_;
  std::array<WarpState, 32> warps_;
  std::optional<unsigned> loaded_;  ///< whose log the hooks write
  unsigned last_to_wait_ = 0;
  unsigned draining_warp_ = 0;
  struct Mark {
    std::uint32_t lanes;
    std::uint32_t sync;  ///< the meeting's number; 0 if it orders nothing
  };
  std::vector<Mark> marks_;
  LogPool pool_;
  WarpMerge merge_;

  // Device memory.
  std::uint8_t* addressable_;
  std::map<std::uintptr_t, std::size_t> allocations_;  ///< made while observing
  std::map<std::uintptr_t, std::size_t> freed_;
  struct Name {
    std::string text;
    std::size_t element_bytes;
  };
  std::map<std::uintptr_t, Name> names_;
};

}  // namespace tilelab::emulator
