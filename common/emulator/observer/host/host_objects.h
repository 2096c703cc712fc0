#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"

namespace tilelab::emulator {

/// Finds virtual functions that a kernel calls of objects which host code made. An object has a
/// pointer to a table of its functions, and a copy to the device leads to the host's table.
class HostObjects final : public Analysis {
 public:
  explicit HostObjects(FindingLog& findings) : findings_(findings) {}

  Wants wants() const override { return {.accesses = true}; }
  Detail needs() const override { return Detail::everything; }
  void take(const WarpAccess& access) override {
    if (!tables_.empty()) look_at(access);
  }
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_written(const void* begin, std::size_t bytes) override;
  void memory_copied(const void* to, const void* from, std::size_t bytes) override;

 private:
  void look_at(const WarpAccess& access);
  void forget(std::uint32_t begin, std::size_t bytes);

  FindingLog& findings_;
  std::set<std::uint32_t> tables_;  ///< Where pointers to the host's tables are, compressed.
};

}  // namespace tilelab::emulator
