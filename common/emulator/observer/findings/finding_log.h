#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulated/launch.h"
#include "emulated/site.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/findings/findings.h"
#include "emulator/observer/findings/reason.h"
#include "emulator/observer/journal.h"
#include "emulator/observer/memory/memory_names.h"
#include "report/finding.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// A thread that made an access.
struct Party {
  Code code;
  uint3 block;
  unsigned thread;  ///< The thread's rank in the block.
};

/// One side of a finding.
report::Accessor side_of(const Party& party);
report::Accessor side_of(Code code, uint3 block, uint3 thread);
report::Accessor side_at(Site site, uint3 block = {}, uint3 thread = {});

/// Records what is wrong. Each finding belongs to the running launch, or to the time between
/// launches.
class FindingLog {
 public:
  explicit FindingLog(const MemoryNames& names) : names_(names) {}

  /// Forgets what was found before: an observation begins.
  /// @param journal  hears of what is found; null if there is none
  void start(Journal* journal) {
    outside_.take();
    journal_ = journal;
  }
  /// Returns what was found between launches.
  std::vector<report::Finding> take() { return outside_.take(); }

  void launch_begins(const KernelCall& kernel) { kernel_ = &kernel; }
  /// Returns what was found in the launch. If no finding explains a fault, the fault becomes one.
  std::vector<report::Finding> launch_ends();

  using Sides = std::vector<report::Accessor>;  ///< Two at most.
  void add(report::FindingKind kind, report::MemoryPlace memory, const Sides& sides,
           std::string sentence = "", std::uint64_t count = 1);
  /// The same for a place that a compressed address names.
  void add(report::FindingKind kind, std::uint32_t address, unsigned bytes, const Sides& sides,
           std::string sentence = "", std::uint64_t count = 1) {
    add(kind, names_.place_at(address, bytes), sides, std::move(sentence), count);
  }
  /// Two threads access a place in no order, perhaps for a reason that is known.
  /// @param count  0 if the race was found before, without the reason
  void add_race(report::FindingKind kind, std::uint32_t address, unsigned bytes, const Sides& sides,
                const Reason& reason, std::uint64_t count = 1);
  /// The running thread, or host code, must not make this access.
  /// @param freed_by  where host code was that freed the memory; empty if it is not freed
  void add_access(report::FindingKind kind, report::MemoryPlace memory, Code code,
                  std::vector<std::uint64_t> freed_by = {});
  /// The same for work of two streams.
  /// @param launches  where host code launched the kernels among it
  /// @param callers   where it was when it called for the rest
  void add_unordered(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                     const Sides& sides, std::string sentence,
                     std::vector<report::SourcePlace> launches,
                     std::vector<std::vector<std::uint64_t>> callers);
  /// What host code calls does to the memory there what it must not do.
  /// @param callers  where host code was
  void add_call(report::FindingKind kind, std::uint32_t address, std::string sentence,
                std::vector<std::uint64_t> callers);
  /// Host code accesses what work of a stream uses.
  /// @param sides     host code, and the thread that uses it, if it is a kernel's
  /// @param sentence  which call uses it; empty for a kernel
  /// @param callers   where host code was that made this call
  void add_early(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                 const Sides& sides, std::string sentence, std::vector<std::uint64_t> callers);
  /// Host code frees what work of a stream uses.
  /// @param is_of_host  whether it is pinned memory of the host
  /// @param user  the thread that uses it, if it is a kernel's
  /// @param user_callers  where host code was that made the call which uses it
  void add_early_free(std::uint32_t address, bool is_of_host, std::optional<report::Accessor> user,
                      std::string sentence, std::vector<std::uint64_t> callers,
                      std::vector<std::uint64_t> user_callers);
  /// A finding, which add() adds later: host code frees what it has freed before.
  /// @param first_callers  where it was when it did that
  report::Finding freed_twice(const void* memory, std::vector<std::uint64_t> callers,
                              std::vector<std::uint64_t> first_callers) const;
  void add(report::Finding finding);
  /// A call failed, and nobody asked for its error.
  /// @param callers  where host code was that did what the sentence tells of
  void add_unchecked_error(Site site, std::string sentence, std::vector<std::uint64_t> callers);
  /// The program has not freed what it allocated.
  /// @param kind  of the memory, such as "device memory"
  void add_leak(const void* begin, std::size_t bytes, const char* kind,
                std::vector<std::uint64_t> callers);
  /// Host code, which runs, does what ends the program.
  void add_host_fault(std::string sentence);
  /// The kernel does not start.
  void add_refused_launch(const KernelCall& kernel, Site site, std::string sentence);

  /// The kind of the fault that follows.
  void expect_fault(report::FindingKind kind) { fault_kind_ = kind; }

 private:
  /// Adds what has ended the kernel.
  void add_fault();
  Findings& findings() { return kernel_ != nullptr ? inside_ : outside_; }
  void tell(const report::Finding* found);
  report::Finding made(report::FindingKind kind, report::MemoryPlace memory, const Sides& sides,
                       std::string sentence) const;

  const MemoryNames& names_;
  Journal* journal_ = nullptr;
  const KernelCall* kernel_ = nullptr;  ///< Null between launches.
  Findings inside_;
  Findings outside_;
  bool is_explained_ = false;  ///< Whether a finding says why the launch ended.
  report::FindingKind fault_kind_ = report::FindingKind::fault;
};

}  // namespace tilelab::emulator
