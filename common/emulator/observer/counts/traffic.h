#pragma once

#include <vector>

#include "costs/request_cost.h"
#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/counts/access_pattern.h"
#include "emulator/observer/counts/merged_requests.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/code_places.h"
#include "emulator/observer/events/code_table.h"
#include "emulator/observer/memory/byte_set.h"
#include "report/counts.h"

namespace tilelab::emulator {

/// Counts the memory traffic of a launch.
class Traffic final : public Analysis {
 public:
  /// @param copies  knows which code only starts copies
  /// @param increments  knows which atomics are increments
  /// @param unread  knows those whose old value nobody wants
  Traffic(const CopyObserver& copies, const CodePlaces& increments, const CodePlaces& unread)
      : copies_(copies), increments_(increments), unread_(unread) {}

  Wants wants() const override { return {.accesses = true}; }
  void observation_begins(const ObserverOptions&) override { of_runtime_ = {}; }
  void launch_begins(const KernelCall&, const LaunchConfiguration&) override;
  void block_begins() override { merged_.end(); }
  void barrier_opens() override { merged_.end(); }
  void block_parks(std::uint64_t) override { merged_.end(); }
  void take(const WarpAccess& access) override;
  void add_to(report::LaunchReport& report) override;
  void add_to(report::Report& report) override;
  void memory_written(const void* begin, std::size_t bytes) override;
  void memory_copied(const void* to, const void* from, std::size_t bytes) override;

 private:
  /// One instruction of the program in one memory space.
  struct Site {
    Code code;
    MemorySpace space;
    std::uint32_t first_address = 0;  ///< The first address that was seen.
    bool is_bulk_copy = false;
    bool takes_parts = false;  ///< Whether no other chunk of its copies is in the same sector.
    bool is_increment = false;
    std::uint32_t next_address = ~0u;  ///< Where the next chunk of a bulk copy would be.
    report::AccessCounts counts{};

    // The last access, and what it cost.
    AccessPattern last{};
    unsigned last_sectors = 0;
    unsigned last_wasted_bytes = 0;
    costs::WavefrontCost last_cost{};
  };

  /// Adds what the site did.
  void add(report::MemoryCounts& counts, const Site& site) const;
  report::MemoryCounts totals() const;
  /// The counts by place, in the order of the code.
  std::vector<report::LineCounts> lines() const;
  /// The size of the static arrays that were used.
  std::size_t static_shared_bytes() const;

  Site& site_of(const WarpAccess& access, MemorySpace space);
  static void count(Site& site, const WarpAccess& access);
  /// A unit of its own makes the accesses of a bulk copy, in whole sectors and rows of banks,
  /// whatever the chunks are in which the emulator copies.
  /// Copies that follow each other without a gap count as one instruction.
  static void count_bulk_copy(Site& site, const WarpAccess& access);
  void note_bytes(const Site& site, const WarpAccess& access);

  const CopyObserver& copies_;
  const CodePlaces& increments_;
  const CodePlaces& unread_;
  std::vector<Site> sites_;
  CodeTable numbers_;
  MergedRequests merged_{[this](std::size_t site, const MergedCost& cost) {
    report::AccessCounts& counts = sites_[site].counts;
    counts.merged_requests += cost.requests;
    counts.merged_wavefronts += cost.wavefronts;
    counts.merged_ideal_wavefronts += cost.ideal;
  }};
  ByteSet loaded_{space_base::constant};
  ByteSet stored_{space_base::constant};

  /// What the observation's report has that launches' reports have not.
  struct OfRuntime {
    report::AccessCounts loads;
    report::AccessCounts stores;
    bool constants_hold_copies = false;
  };
  OfRuntime of_runtime_;
};

}  // namespace tilelab::emulator
