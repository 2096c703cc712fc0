#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/host/ranges.h"

namespace tilelab::emulator {

/// Knows which arguments of the launch are addresses of variables as only host code has them. On a
/// GPU, `&variable` in host code is no address of the device, also if the variable is
/// `__device__` or `__constant__`: cudaGetSymbolAddress() tells that.
class HostAddresses final : public Analysis {
 public:
  /// Notes the arguments of the launch that begins.
  void note(const KernelCall& kernel);
  void symbol_address_told(const void* begin, std::size_t bytes) override;

  /// Whether a kernel has the address from such an argument.
  bool lead_to(std::uintptr_t address) const {
    return !arguments_.empty() && is_behind_argument(address);
  }

 private:
  using Addresses = std::set<std::uintptr_t>;

  bool ends_a_range(std::uintptr_t address, const Addresses& passed) const;
  bool is_behind_argument(std::uintptr_t address) const;

  Ranges told_;          ///< By cudaGetSymbolAddress().
  Addresses arguments_;  ///< Of the launch.
};

}  // namespace tilelab::emulator
