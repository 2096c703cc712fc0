#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulated/launch.h"
#include "emulated/site.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/findings/findings.h"
#include "emulator/observer/memory/memory_names.h"
#include "emulator/observer/merge/passed_barriers.h"
#include "report/finding.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// Records what is wrong in the terms of a report: kernels, threads, names and places. Each finding
/// belongs to the running launch, or to the time between launches.
class FindingLog {
 public:
  explicit FindingLog(const MemoryNames& names) : names_(names) {}

  /// Who made an access.
  struct Party {
    Code code;
    uint3 block;
    unsigned thread;  ///< The thread's rank in the block.
  };

  /// Forgets what was found before: an observation begins.
  void start() { outside_.take(); }
  /// Returns what was found between launches.
  std::vector<report::Finding> take() { return outside_.take(); }

  void launch_begins(const KernelCall& kernel) { kernel_ = &kernel; }
  /// Returns what was found in the launch. If no finding explains a fault, the fault becomes one.
  std::vector<report::Finding> launch_ends();

  // What the checks find.
  void add_race(report::FindingKind kind, std::uint32_t address, unsigned bytes, const Party& first,
                const Party& second, const char* explanation = "");
  /// An access to the shared memory of a block that may not be there.
  void add_foreign_access(std::uint32_t address, unsigned bytes, const Party& party,
                          const char* explanation);
  /// @param lanes  how many lanes of the reader's warp read what nobody wrote
  void add_uninitialized_read(std::uint32_t address, unsigned bytes, const Party& reader,
                              unsigned lanes);

  /// One side of a race between streams.
  struct StreamParty {
    const char* call = nullptr;  ///< The function of the runtime; null for a thread.
    bool writes = false;
    Code code = 0;
    uint3 block{};
    uint3 thread{};
  };
  void add_stream_race(std::uint32_t address, unsigned bytes, const StreamParty& first,
                       const StreamParty& second);

  // What the hooks find.
  /// The running thread, or host code, must not make this access.
  void add_access(report::FindingKind kind, report::MemoryPlace memory, Code code);

  /// The running thread uses an index that the array's type does not have. The launch goes on.
  void add_index(Code code, const std::string& type, std::int64_t index, std::uint64_t extent);

  // What the runtime tells.
  void add_refused_launch(const KernelCall& kernel, Site site, cudaError_t error);
  void add_divergent_barrier(Site site, uint3 thread, Site other_site, uint3 other_thread);
  /// Threads had ended when the others came to a barrier.
  void add_skipped_barrier(Site site, unsigned threads, unsigned block_threads);
  /// @param lane  whose value the thread gets
  void add_undefined_shuffle(Site site, uint3 thread, unsigned lane, unsigned mask);
  /// A thread uses a barrier in shared memory in a way that it must not.
  void add_misused_barrier(Site site, const char* sentence);
  void add_passed_barrier(const PassedBarriers::Passage& passage);
  /// The fault that follows is a deadlock.
  void threads_deadlock() { fault_kind_ = report::FindingKind::deadlock; }
  void add_forbidden_copy(std::size_t bytes);
  void add_leak(std::size_t bytes);

 private:
  report::Finding in_kernel(report::FindingKind kind) const;
  void add(report::Finding finding);

  const MemoryNames& names_;
  const KernelCall* kernel_ = nullptr;  ///< Null between launches.
  Findings inside_;
  Findings outside_;
  bool is_explained_ = false;  ///< Whether a finding says why the launch ended.
  report::FindingKind fault_kind_ = report::FindingKind::fault;
};

}  // namespace tilelab::emulator
