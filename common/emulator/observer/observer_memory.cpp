// What the observer knows of device memory, and what it allows the runtime to write.

#include <algorithm>
#include <iterator>

#include "emulator/observer/memory/host_memory.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/observer/observer_impl.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {

/// Rounds the begin down to a multiple of 8.
void Observer::set_addressable(std::uintptr_t begin, std::size_t bytes, bool is_addressable) {
  const std::size_t offset = begin - DeviceMemory::instance().base();
  std::uint8_t* const first = addressable_ + offset / 8;
  const std::size_t count = bytes + offset % 8;
  std::fill_n(first, count / 8, is_addressable ? std::uint8_t{8} : std::uint8_t{0});
  if (count % 8 != 0) {
    first[count / 8] = is_addressable ? static_cast<std::uint8_t>(count % 8) : std::uint8_t{0};
  }
}

void Observer::memory_allocated(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  set_addressable(address, bytes, true);
  races_.mark_unwritten(compress_arena(address), bytes);
  freed_.erase(freed_.lower_bound(address), freed_.lower_bound(address + bytes));
  if (is_observing_) allocations_[address] = bytes;
}

void Observer::memory_released(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  set_addressable(address, bytes, false);
  freed_[address] = bytes;
  allocations_.erase(address);
  names_.erase(names_.lower_bound(address), names_.lower_bound(address + bytes));
}

void Observer::memory_written(const void* begin, std::size_t bytes) {
  races_.mark_written(compress_arena(reinterpret_cast<std::uintptr_t>(begin)), bytes);
}

void Observer::device_reset() {
  DeviceMemory::instance().for_each_block(
      [this](const void* begin, std::size_t bytes) { memory_released(begin, bytes); });
  freed_.clear();
}

bool Observer::may_write_host(const void* begin, std::size_t bytes) {
  if (!is_observing_ ||
      HostMemory::instance().may_write(reinterpret_cast<std::uintptr_t>(begin), bytes)) {
    return true;
  }
  report::Finding finding{};
  finding.kind = report::FindingKind::forbidden_write;
  finding.memory = {MemorySpace::host, "", 0, static_cast<unsigned>(bytes)};
  finding.sentence = "a call of the CUDA runtime was to write memory that is not the submission's";
  findings_.add(std::move(finding));
  return false;
}

void* Observer::allocate_host(std::size_t bytes) { return HostMemory::instance().allocate(bytes); }

bool Observer::release_host(void* pointer) { return HostMemory::instance().release(pointer); }

bool Observer::was_freed(std::uintptr_t address) const {
  const auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return address < begin + bytes;
}

}  // namespace tilelab::emulator
