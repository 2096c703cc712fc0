#include "emulator/observer/host/host_addresses.h"

#include <cstring>
#include <iterator>
#include <limits>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/memory/pinned_memory.h"

namespace tilelab::emulator {
namespace {

// Of a variable whose size is not known.
constexpr std::size_t largest_variable = std::size_t{1} << 20;

/// Whether a kernel may use the address only if CUDA told it.
bool is_to_be_told(std::uintptr_t address) {
  return compress_any_variable(address, 1) && !is_managed_variable(address) &&
         !PinnedMemory::instance().place_of(address);
}

/// The arguments that are addresses of variables.
std::set<std::uintptr_t> addresses_of_variables(const KernelCall& kernel) {
  std::set<std::uintptr_t> found;
  kernel.arguments.visit(
      [](void* addresses, const Argument& argument) {
        std::uintptr_t value = 0;
        if (argument.bytes != sizeof value) return;
        std::memcpy(&value, argument.value, sizeof value);
        if (is_to_be_told(value)) static_cast<std::set<std::uintptr_t>*>(addresses)->insert(value);
      },
      &found);
  return found;
}

}  // namespace

void HostAddresses::symbol_address_told(const void* begin, std::size_t bytes) {
  const bool is_known = bytes != std::numeric_limits<std::size_t>::max();
  told_[reinterpret_cast<std::uintptr_t>(begin)] = is_known ? bytes : largest_variable;
}

void HostAddresses::note(const KernelCall& kernel) {
  arguments_.clear();
  const Addresses passed = addresses_of_variables(kernel);
  for (const std::uintptr_t address : passed) {
    if (!have(told_, address) && !ends_a_range(address, passed)) arguments_.insert(address);
  }
}

/// Whether the launch may get it as the end of a variable that CUDA told, of which it also gets a
/// part. Another variable may begin there.
bool HostAddresses::ends_a_range(std::uintptr_t address, const Addresses& passed) const {
  const auto after = told_.lower_bound(address);
  if (after == told_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(after);
  return begin + bytes == address && *passed.lower_bound(begin) < address;
}

bool HostAddresses::is_behind_argument(std::uintptr_t address) const {
  const auto above = arguments_.upper_bound(address);
  const bool may_be = above != arguments_.begin() && address - *std::prev(above) < largest_variable;
  return may_be && !have(told_, address);
}

}  // namespace tilelab::emulator
