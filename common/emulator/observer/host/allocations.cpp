#include "emulator/observer/host/allocations.h"

#include <utility>

#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

const char* kind_of_memory(const void* block) {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (memory.is_managed(block)) return "managed memory";
  return memory.is_for_host(block) ? "pinned host memory" : "device memory";
}

std::uintptr_t to_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

void Allocations::observation_begins(const ObserverOptions&) {
  is_observing_ = true;
  live_.clear();
  DeviceMemory::instance().keep_freed_blocks();
}

void Allocations::add_to(report::Report& report) {
  is_observing_ = false;
  report.live_allocations = live_.size();
  if (sticky_error() != cudaSuccess) return;  // after an error, cudaFree() frees nothing
  for (const auto& [begin, allocation] : live_) {
    const auto* const pointer = reinterpret_cast<const void*>(begin);
    findings_.add_leak(pointer, allocation.bytes, kind_of_memory(pointer), allocation.callers);
  }
}

void Allocations::memory_allocated(const void* pointer, std::size_t bytes) {
  const std::uintptr_t begin = to_address(pointer);
  freed_.erase(freed_.lower_bound(begin), freed_.lower_bound(begin + bytes));
  if (!is_observing_) return;
  live_.insert_or_assign(begin, Allocation{bytes, innermost_callers()});
}

void Allocations::memory_released(const void* pointer, std::size_t bytes) {
  freed_[to_address(pointer)] = bytes;
  live_.erase(to_address(pointer));
}

bool Allocations::was_freed(std::uintptr_t address) const { return have(freed_, address); }

}  // namespace tilelab::emulator
