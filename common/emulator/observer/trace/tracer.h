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
#include "report/trace.h"

namespace tilelab::emulator {

/// Writes down what each warp does, with the values that it stores, until there is too much of it.
class Tracer final : public Analysis {
 public:
  /// A report has room for so many accesses of single lanes, over all launches.
  static constexpr std::uint64_t most_accesses = 1 << 16;

  /// @param increments  knows which atomics are increments
  /// @param copies      knows the copy that the running thread starts
  /// @param memory      knows which memory it may read
  Tracer(const MemoryNames& names, const CodePlaces& increments, const CopyObserver& copies,
         const KernelMemory& memory)
      : names_(names), increments_(increments), copies_(copies), memory_(memory) {}

  Wants wants() const override { return {.accesses = true, .stores = true}; }
  Detail needs() const override { return Detail::trace; }
  void observation_begins(const ObserverOptions&) override { accesses_ = 0; }
  void launch_begins(const KernelCall&, const LaunchConfiguration&) override;
  void block_begins() override;
  void barrier_opens() override;
  void take(const WarpAccess& access) override;
  bool before_store(Event event, unsigned thread, const void* memory) override;
  void copy_stores(Event event, unsigned thread) override;
  void after_store() override;
  void add_to(report::LaunchReport& report) override;

 private:
  struct Store {
    Event event = 0;
    std::array<std::uint64_t, 2> value{};
  };

  bool has_room(std::uint64_t accesses);
  std::uint32_t place_of_code(std::uint64_t code);
  std::uint32_t place_at(const report::SourcePlace& place);
  std::uint32_t number_of(const MemoryNames::Array& array);
  report::LaneAccess lane_access(const WarpAccess& access, unsigned lane, std::uint32_t address);

  const MemoryNames& names_;
  const CodePlaces& increments_;
  const CopyObserver& copies_;
  const KernelMemory& memory_;
  std::uint64_t accesses_ = 0;
  report::Trace trace_;
  std::map<std::uint64_t, std::uint32_t> places_;  ///< The numbers of places, by their code.
  std::map<std::uint32_t, std::uint32_t> arrays_;  ///< The numbers of arrays, by their begin.
  /// By thread: its stores that take() was not called for yet. Both come in the thread's order.
  std::array<std::deque<Store>, 1024> stores_;
  bool is_pending_ = false;
  Store pending_;
  unsigned pending_thread_ = 0;
  const void* pending_memory_ = nullptr;
};

}  // namespace tilelab::emulator
