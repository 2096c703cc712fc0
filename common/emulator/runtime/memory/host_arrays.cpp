#include "emulator/runtime/memory/host_arrays.h"

#include <sys/mman.h>

namespace tilelab::emulator {

HostArrays& HostArrays::instance() {
  // Never destroyed: the signal handler asks for it at any time.
  static auto* arrays = new HostArrays;
  return *arrays;
}

void* HostArrays::allocate(std::size_t bytes) {
  void* array = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (array == MAP_FAILED) return nullptr;
  arrays_.emplace(to_number(array), bytes);
  return array;
}

void HostArrays::release(void* array) {
  const auto found = arrays_.find(to_number(array));
  if (found == arrays_.end()) return;
  munmap(array, found->second);
  pinned_.erase(pinned_.lower_bound(found->first),
                pinned_.lower_bound(found->first + found->second));
  arrays_.erase(found);
}

bool HostArrays::has(const void* address, std::size_t bytes) const {
  const std::uintptr_t wanted = to_number(address);
  auto next = arrays_.upper_bound(wanted);
  if (next == arrays_.begin()) return false;
  const auto& [begin, size] = *--next;
  const std::uintptr_t offset = wanted - begin;
  return offset < size && bytes <= size - offset;
}

void HostArrays::open() const {
  for (const auto& [begin, size] : arrays_) {
    mprotect(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE);
  }
}

void HostArrays::close() const {
  for (const auto& [begin, size] : arrays_) {
    mprotect(reinterpret_cast<void*>(begin), size, PROT_NONE);
  }
}

}  // namespace tilelab::emulator
