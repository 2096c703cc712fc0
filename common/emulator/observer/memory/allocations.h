#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace tilelab::emulator {

/// Device memory that was allocated under observation, and device memory that was freed.
class Allocations {
 public:
  /// Forgets what was allocated before: an observation begins.
  void start() { live_.clear(); }

  void add(std::uintptr_t begin, std::size_t bytes, bool is_observed);
  void remove(std::uintptr_t begin, std::size_t bytes);
  /// Forgets what was freed.
  void reset() { freed_.clear(); }

  bool was_freed(std::uintptr_t address) const;
  /// What was allocated under observation and is not freed: sizes by begin.
  const std::map<std::uintptr_t, std::size_t>& live() const { return live_; }

 private:
  std::map<std::uintptr_t, std::size_t> live_;
  std::map<std::uintptr_t, std::size_t> freed_;
};

}  // namespace tilelab::emulator
