#pragma once

#include <cstdint>
#include <set>

#include "emulator/observer/events/analysis.h"

namespace tilelab::emulator {

/// Knows which arguments of the launch are addresses of variables as only host code has them. On a
/// GPU, `&variable` in host code is no address of the device, also if the variable is
/// `__device__` or `__constant__`: cudaGetSymbolAddress() tells that.
class HostAddresses final : public Analysis {
 public:
  /// Notes the arguments of the launch that begins.
  void note(const KernelCall& kernel);
  void symbol_address_told(const void* address) override { told_.insert(to_number(address)); }

  /// Whether a kernel has the address from such an argument.
  bool lead_to(std::uintptr_t address) const {
    return !arguments_.empty() && is_behind_argument(address);
  }

 private:
  static std::uintptr_t to_number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
  }
  bool is_behind_argument(std::uintptr_t address) const;
  void look_at(std::uintptr_t value);

  std::set<std::uintptr_t> told_;       ///< By cudaGetSymbolAddress().
  std::set<std::uintptr_t> arguments_;  ///< Of the launch.
};

}  // namespace tilelab::emulator
