#include "emulator/observer/memory/submission.h"

#include <algorithm>

#include "emulated/launch.h"
#include "emulated/managed_variable.h"
#include "emulator/observer/events/cluster_address.h"
#include "emulator/runtime/executable_segments.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/memory/shared_memory.h"

// The linker defines these for the sections that compile.sh makes. They are weak because a
// submission need not have such sections.
extern "C" {
[[gnu::visibility("hidden")]] extern const char __executable_start[], _end[];
[[gnu::visibility("hidden")]] extern const char __start_tilelab_builtin[];
[[gnu::visibility("hidden")]] extern const char __stop_tilelab_builtin[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_constant[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_constant[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_data[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_data[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_bss[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_bss[];
// The rewriter's list.
using tilelab::emulator::ManagedVariable;
[[gnu::weak, gnu::visibility("hidden")]] extern const ManagedVariable __start_tilelab_managed[];
[[gnu::weak, gnu::visibility("hidden")]] extern const ManagedVariable __stop_tilelab_managed[];
}

namespace tilelab::emulator {
namespace {

Range range(const void* begin, const void* end) {
  return {reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(end)};
}

/// In compressed addresses, the variables of the second section follow those of the first.
constexpr std::uint32_t second_section = 0x08000000;

}  // namespace

Range builtin_variables() { return range(__start_tilelab_builtin, __stop_tilelab_builtin); }

Range constant_variables() { return range(__start_tilelab_constant, __stop_tilelab_constant); }

std::optional<std::uint32_t> compress_variable(std::uintptr_t address, std::size_t bytes) {
  const Range data = range(__start_tilelab_data, __stop_tilelab_data);
  const Range bss = range(__start_tilelab_bss, __stop_tilelab_bss);
  if (data.contains(address, bytes)) {
    return space_base::variables + static_cast<std::uint32_t>(address - data.begin);
  }
  if (bss.contains(address, bytes)) {
    return space_base::variables + second_section + static_cast<std::uint32_t>(address - bss.begin);
  }
  return std::nullopt;
}

bool has_managed_variables() { return &__start_tilelab_managed[0] != &__stop_tilelab_managed[0]; }

bool is_managed_variable(std::uintptr_t address) {
  return std::any_of(__start_tilelab_managed, __stop_tilelab_managed,
                     [=](const ManagedVariable& it) {
                       return address - reinterpret_cast<std::uintptr_t>(it.begin) < it.bytes;
                     });
}

std::optional<std::uint32_t> compress_any_variable(std::uintptr_t address, std::size_t bytes) {
  const Range constants = constant_variables();
  if (constants.contains(address, bytes)) {
    return space_base::constant + static_cast<std::uint32_t>(address - constants.begin);
  }
  return compress_variable(address, bytes);
}

std::optional<std::uint32_t> compress_device(const void* begin, std::size_t bytes) {
  if (DeviceMemory::instance().contains(begin)) return compress_arena(begin);
  return compress_any_variable(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

Range executable() { return range(__executable_start, _end); }

bool is_read_only(std::uintptr_t address) {
  bool found = false;
  for_each_executable_segment([&](const auto& segment, std::uintptr_t begin) {
    const bool can_be_written = segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0;
    const bool is_relocated = segment.p_type == PT_GNU_RELRO;
    if (address - begin >= segment.p_memsz) return;
    if ((segment.p_type == PT_LOAD && !can_be_written) || is_relocated) found = true;
  });
  return found;
}

const void* memory_at(std::uint32_t address) {
  const auto at = [](std::uintptr_t begin, std::uint32_t offset) {
    return reinterpret_cast<const void*>(begin + offset);
  };
  if (address < space_base::shared) return at(DeviceMemory::instance().base(), address);
  if (address < space_base::dynamic) {
    return static_shared_memory().data() + (address - space_base::shared);
  }
  if (address < space_base::variables) {
    return dynamic_shared_memory + (address - space_base::dynamic);
  }
  if (is_cluster_address(address)) {
    return Scheduler::instance().cluster()->address_of(cluster_place_at(address));
  }
  if (address >= space_base::pinned) {
    return at(PinnedMemory::instance().address_of(address - space_base::pinned), 0);
  }
  if (address >= space_base::constant) {
    return __start_tilelab_constant + (address - space_base::constant);
  }
  const std::uint32_t offset = address - space_base::variables;
  return offset < second_section ? __start_tilelab_data + offset
                                 : __start_tilelab_bss + (offset - second_section);
}

std::uint32_t compress_arena(std::uintptr_t address) {
  return space_base::arena + static_cast<std::uint32_t>(address - DeviceMemory::instance().base());
}

}  // namespace tilelab::emulator
