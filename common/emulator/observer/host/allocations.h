#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/host/ranges.h"

namespace tilelab::emulator {

/// Knows which device memory was allocated under observation, and which was freed. Reports leaks.
class Allocations final : public Analysis {
 public:
  explicit Allocations(FindingLog& findings) : findings_(findings) {}

  void observation_begins(const ObserverOptions&) override;
  void add_to(report::Report& report) override;
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_released(const void* begin, std::size_t bytes) override;
  void device_reset() override { freed_.clear(); }

  bool was_freed(std::uintptr_t address) const;

 private:
  using Callers = std::vector<std::uint64_t>;
  struct Allocation {
    std::size_t bytes;
    Callers callers;
  };

  FindingLog& findings_;
  bool is_observing_ = false;
  std::map<std::uintptr_t, Allocation> live_;  // by begin
  Ranges freed_;
};

}  // namespace tilelab::emulator
