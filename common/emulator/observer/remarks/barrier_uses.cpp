#include "emulator/observer/remarks/barrier_uses.h"

#include <algorithm>

#include "emulator/observer/events/warp_access.h"

namespace tilelab::emulator {

void BarrierUses::launch_begins(const KernelCall&, const LaunchConfiguration&) {
  uses_.clear();
  is_sure_ = true;
}

void BarrierUses::block_begins() {
  without_accesses_after_.clear();
  has_accessed_ = false;
}

void BarrierUses::take(const WarpAccess& access) {
  if (access.space() != MemorySpace::global && access.space() != MemorySpace::shared) return;
  has_accessed_ = true;
  without_accesses_after_.clear();
}

/// Of two barriers without an access between them, the second one is idle.
void BarrierUses::barrier_opens() {
  const Scheduler& scheduler = Scheduler::instance();
  is_sure_ &= !scheduler.barrier_brings_value();
  Use& use = use_of(scheduler.barrier_site());
  ++use.times;
  if (has_accessed_) {
    without_accesses_after_.push_back(use.site);
  } else {
    ++use.idle;
  }
  has_accessed_ = false;
}

void BarrierUses::block_ends() {
  for (const Site& it : without_accesses_after_) ++use_of(it).idle;
}

BarrierUses::Use& BarrierUses::use_of(Site site) {
  const auto found =
      std::find_if(uses_.begin(), uses_.end(), [&](const Use& it) { return it.site == site; });
  return found != uses_.end() ? *found : uses_.emplace_back(Use{site, 0, 0});
}

void BarrierUses::add_to(report::LaunchReport& report) {
  if (!is_sure_) return;
  for (const Use& it : uses_) {
    report.barriers.push_back({{0, it.site.file, it.site.line}, it.times, it.idle});
  }
}

}  // namespace tilelab::emulator
