#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/code_places.h"
#include "emulator/observer/memory/kernel_memory.h"
#include "emulator/observer/memory/memory_names.h"
#include "emulator/observer/trace/copy_marks.h"
#include "report/trace.h"

namespace tilelab::emulator {

/// Writes down what each warp does, with the values that it stores. Of what is too much, it keeps
/// whole blocks, or whole warps of a block.
class Tracer final : public Analysis {
 public:
  /// A report has room for this many accesses of single lanes, over all launches.
  static constexpr std::uint64_t most_accesses = 1 << 16;

  /// @param increments  knows which atomics are increments
  /// @param copies      knows the copy that the running thread starts
  /// @param memory      knows which memory it may read
  Tracer(const MemoryNames& names, const CodePlaces& increments, const CopyObserver& copies,
         const KernelMemory& memory)
      : names_(names), increments_(increments), copies_(copies), memory_(memory) {}

  Wants wants() const override { return {.accesses = true, .stores = true}; }
  Detail needs() const override { return Detail::trace; }
  void observation_begins(const ObserverOptions& options) override {
    accesses_ = accesses_before_launch_ = 0;
    is_tracing_ = options.detail >= needs();
  }
  void launch_begins(const KernelCall&, const LaunchConfiguration&) override;
  void block_begins() override;
  void barrier_opens() override;
  void take(const WarpAccess& access) override;
  bool before_store(Event event, unsigned thread, const void* memory) override;
  void copy_stores(Event event, unsigned thread) override;
  void after_store() override;
  void copy_issued(std::uint32_t batch, std::uint32_t read_batch) override;
  void copies_committed(std::uint32_t batch, Site site) override;
  void copies_waited_for(std::uint32_t batch, Site site) override;
  void barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch,
                      Site site) override;
  /// Lanes passed a mark that the tracer has put into their logs.
  void take_copy_mark(unsigned warp, std::uint32_t lanes, std::uint32_t number);
  void add_to(report::LaunchReport& report) override;

 private:
  struct Store {
    Event event = 0;
    std::array<std::uint64_t, 2> value{};
    // Of a copy:
    std::uint32_t batch = 0;
    std::uint32_t from = 0;  ///< Its compressed address.
    bool has_source = false;
  };
  /// What the copies of a warp have cost so far in a step that is not complete.
  struct Cost {
    std::uint32_t sectors = 0;
    std::uint32_t wavefronts = 0;
    std::uint32_t ideal_wavefronts = 0;
  };

  static std::uint64_t running_block();
  bool has_room(unsigned warp, std::uint64_t accesses);
  bool is_in_sample(unsigned warp) const;
  bool thin_out();
  std::uint32_t place_of_code(std::uint64_t code);
  std::uint32_t place_at(const report::SourcePlace& place);
  std::uint32_t number_of(const MemoryNames::Array& array);
  std::uint32_t number_of_batch(std::uint32_t batch);
  report::TraceStep step_of(const WarpAccess& access);
  Cost cost_of(const WarpAccess& access) const;
  report::LaneAccess lane_access(const WarpAccess& access, unsigned lane, std::uint32_t address);
  void take_copy(const WarpAccess& access, CopyKind kind);
  bool extend_bulk_copy(const report::TraceStep& chunk);
  void mark(report::CopyStep what, std::uint32_t batch, Site site);

  const MemoryNames& names_;
  const CodePlaces& increments_;
  const CopyObserver& copies_;
  const KernelMemory& memory_;
  bool is_tracing_ = false;
  std::uint64_t accesses_before_launch_ = 0;
  std::uint64_t accesses_ = 0;  ///< Of the launch.
  report::Trace trace_;
  std::map<std::uint64_t, std::uint32_t> places_;   ///< The numbers of places, by their code.
  std::map<std::uint32_t, std::uint32_t> arrays_;   ///< The numbers of arrays, by their begin.
  std::map<std::uint32_t, std::uint32_t> batches_;  ///< The numbers of batches, by the runtime's.
  CopyMarks marks_;
  std::array<Cost, 32> copy_costs_{};  ///< By warp: of the loads of copies that have no step yet.
  /// By thread: its stores that take() was not called for yet. Both come in the thread's order.
  std::array<std::deque<Store>, 1024> stores_;
  bool is_pending_ = false;
  Store pending_;
  unsigned pending_thread_ = 0;
  const void* pending_memory_ = nullptr;
};

}  // namespace tilelab::emulator
