#include "emulator/observer/host/host_objects.h"

#include <bit>
#include <cstring>
#include <vector>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t pointer_bytes = sizeof(std::uintptr_t);

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

/// Whether an address in the executable can be that of a table of virtual functions, which a
/// distance within the object (usually 0) and the address of its type, or null, precede in the
/// Itanium C++ ABI.
bool is_table(std::uintptr_t address) {
  if (address % pointer_bytes != 0 || !is_read_only(address - 2 * pointer_bytes) ||
      !is_read_only(address)) {
    return false;
  }
  const auto distance = static_cast<std::intptr_t>(word_at(address - 2 * pointer_bytes));
  const std::uintptr_t type = word_at(address - pointer_bytes);
  constexpr std::intptr_t largest_object = 1 << 20;
  return distance <= 0 && distance > -largest_object &&
         (type == 0 || (type % pointer_bytes == 0 && is_read_only(type))) &&
         is_read_only(word_at(address));
}

}  // namespace

void HostObjects::memory_allocated(const void* begin, std::size_t bytes) {
  forget(compress_arena(begin), bytes);
}

void HostObjects::memory_written(const void* begin, std::size_t bytes) {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.contains(begin) || memory.is_for_host(begin)) return;
  forget(compress_arena(begin), bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t end = first + bytes;
  const Range code = executable();
  for (std::uintptr_t at = (first + pointer_bytes - 1) / pointer_bytes * pointer_bytes;
       at + pointer_bytes <= end; at += pointer_bytes) {
    const std::uintptr_t word = word_at(at);
    if (code.contains(word, pointer_bytes) && is_table(word)) tables_.insert(compress_arena(at));
  }
}

/// What kernels made stays the device's.
void HostObjects::memory_copied(const void* to, const void* from, std::size_t bytes) {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.contains(to) || !memory.contains(from)) return;
  const std::uint32_t target = compress_arena(to), source = compress_arena(from);
  const std::vector<std::uint32_t> copied(
      tables_.lower_bound(source), tables_.lower_bound(source + static_cast<std::uint32_t>(bytes)));
  forget(target, bytes);
  for (const std::uint32_t table : copied) tables_.insert(table - source + target);
}

void HostObjects::look_at(const WarpAccess& access) {
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    const std::uint32_t address = access.address(i);
    if (!tables_.contains(address)) continue;
    if (access.kind() != AccessKind::load) {
      forget(address, access.bytes());
      continue;
    }
    if (access.bytes() != pointer_bytes) continue;
    const Party caller{access.code, blockIdx,
                       access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))};
    findings_.add(report::FindingKind::host_object, address, access.bytes(), {side_of(caller)});
  }
}

void HostObjects::forget(std::uint32_t begin, std::size_t bytes) {
  tables_.erase(tables_.lower_bound(begin),
                tables_.lower_bound(begin + static_cast<std::uint32_t>(bytes)));
}

}  // namespace tilelab::emulator
