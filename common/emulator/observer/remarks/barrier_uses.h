#pragma once

#include <vector>

#include "emulated/site.h"
#include "emulator/observer/events/analysis.h"
#include "report/report.h"

namespace tilelab::emulator {

/// Counts how often a barrier of a block orders nothing: since the block's begin or the barrier
/// before, no thread of the block accessed memory that others can access, or none does after it.
/// Says nothing of launches with other ways for threads to meet, or where a barrier brings back a
/// value.
class BarrierUses final : public Analysis {
 public:
  Wants wants() const override { return {.accesses = true}; }
  bool is_remark() const override { return true; }
  void launch_begins(const KernelCall&, const LaunchConfiguration&) override;
  void block_begins() override;
  void block_ends() override;
  void barrier_opens() override;
  void take(const WarpAccess& access) override;
  void add_to(report::LaunchReport& report) override;

  void block_is_abandoned() override { is_sure_ = false; }
  void block_parks(std::uint64_t) override { is_sure_ = false; }
  void grid_barrier_opens() override { is_sure_ = false; }
  void cluster_barrier_opens() override { is_sure_ = false; }
  void copy_issued(std::uint32_t, std::uint32_t) override { is_sure_ = false; }
  void barrier_initialized(const void*, Site) override { is_sure_ = false; }

 private:
  struct Use {
    Site site{};
    std::uint64_t times = 0;
    std::uint64_t idle = 0;
  };

  Use& use_of(Site site);

  std::vector<Use> uses_;
  /// The sites of the barriers that the block has passed since its last access.
  std::vector<Site> without_accesses_after_;
  bool has_accessed_ = false;  ///< Since the last barrier.
  bool is_sure_ = true;
};

}  // namespace tilelab::emulator
