#include "emulator/observer/host/host_addresses.h"

#include <cstring>
#include <iterator>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/memory/pinned_memory.h"

namespace tilelab::emulator {
namespace {

// The size of a variable is not known.
constexpr std::uintptr_t largest_variable = std::uintptr_t{1} << 20;

/// Whether one of the addresses may be that of the variable which `address` is in.
bool have(const std::set<std::uintptr_t>& variables, std::uintptr_t address) {
  const auto above = variables.upper_bound(address);
  return above != variables.begin() && address - *std::prev(above) < largest_variable;
}

}  // namespace

void HostAddresses::note(const KernelCall& kernel) {
  arguments_.clear();
  kernel.arguments.visit(
      [](void* self, const Argument& argument) {
        std::uintptr_t value = 0;
        if (argument.bytes != sizeof value) return;
        std::memcpy(&value, argument.value, sizeof value);
        static_cast<HostAddresses*>(self)->look_at(value);
      },
      this);
}

void HostAddresses::look_at(std::uintptr_t value) {
  const bool is_variable = compress_any_variable(value, 1).has_value();
  if (!is_variable || is_managed_variable(value) || PinnedMemory::instance().place_of(value))
    return;
  if (!have(told_, value)) arguments_.insert(value);
}

bool HostAddresses::is_behind_argument(std::uintptr_t address) const {
  return have(arguments_, address);
}

}  // namespace tilelab::emulator
