#pragma once

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/memory/byte_set.h"
#include "report/report.h"

namespace tilelab::emulator {

/// Finds static shared arrays of which a launch uses all but the last bytes: padding that an index
/// does not leave out between rows lies there.
class UnusedTails final : public Analysis {
 public:
  Wants wants() const override { return {.accesses = true}; }
  bool is_remark() const override { return true; }
  void launch_begins(const KernelCall&, const LaunchConfiguration&) override { used_.clear(); }
  void take(const WarpAccess& access) override;
  void add_to(report::LaunchReport& report) override;

 private:
  ByteSet used_{space_base::variables};
};

}  // namespace tilelab::emulator
