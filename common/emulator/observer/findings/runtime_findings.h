#pragma once

#include <vector>

#include "emulated/site.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"

namespace tilelab::emulator {

/// Reports the mistakes that the runtime itself comes across.
class RuntimeFindings final : public Analysis {
 public:
  explicit RuntimeFindings(FindingLog& findings) : findings_(findings) {}

  void observation_begins(const ObserverOptions&) override {
    is_observing_ = true;
    freed_twice_.clear();
    refused_.clear();
  }
  /// The observation ends.
  void add_to(report::Report& report) override;
  using Analysis::add_to;
  void memory_freed_twice(const void* memory) override;
  void launch_refused(const KernelCall& kernel, const LaunchConfiguration& configuration,
                      cudaError_t error) override;
  void barrier_skipped(Site site, unsigned threads, unsigned block_threads) override;
  void barrier_misused(Site site, const char* sentence) override;
  void shuffle_is_undefined(Site site, uint3 thread, unsigned lane, unsigned mask) override;
  void branch_mask_used(Site site, uint3 thread, const char* function) override;
  void barrier_diverges(Site site, uint3 thread, Site other, uint3 other_thread) override;
  void threads_deadlock() override;

 private:
  FindingLog& findings_;
  bool is_observing_ = false;
  std::vector<report::Finding> freed_twice_;
  std::vector<Site> refused_;  ///< Where the launches are that did not start.
};

}  // namespace tilelab::emulator
