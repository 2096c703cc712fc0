#include "emulator/observer/host/host_addresses.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "emulated/managed_variable.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/memory/pinned_memory.h"

// The linker defines these for the section of the rewriter's list. A program need not have one.
extern "C" {
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const tilelab::emulator::ManagedVariable __start_tilelab_managed[];
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const tilelab::emulator::ManagedVariable __stop_tilelab_managed[];
}

namespace tilelab::emulator {
namespace {

// The size of a variable is not known.
constexpr std::uintptr_t largest_variable = std::uintptr_t{1} << 20;

/// Whether one of the addresses may be that of the variable which `address` is in.
bool have(const std::set<std::uintptr_t>& variables, std::uintptr_t address) {
  const auto above = variables.upper_bound(address);
  return above != variables.begin() && address - *std::prev(above) < largest_variable;
}

bool is_managed(std::uintptr_t address) {
  return std::any_of(__start_tilelab_managed, __stop_tilelab_managed,
                     [=](const ManagedVariable& it) {
                       return address - reinterpret_cast<std::uintptr_t>(it.begin) < it.bytes;
                     });
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
  if (!is_variable || is_managed(value) || PinnedMemory::instance().place_of(value)) return;
  if (!have(told_, value)) arguments_.insert(value);
}

bool HostAddresses::is_behind_argument(std::uintptr_t address) const {
  return have(arguments_, address);
}

}  // namespace tilelab::emulator
