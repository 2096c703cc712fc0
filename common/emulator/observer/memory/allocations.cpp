#include "emulator/observer/memory/allocations.h"

#include <iterator>

namespace tilelab::emulator {

void Allocations::add(std::uintptr_t begin, std::size_t bytes, bool is_observed) {
  freed_.erase(freed_.lower_bound(begin), freed_.lower_bound(begin + bytes));
  if (is_observed) live_[begin] = bytes;
}

void Allocations::remove(std::uintptr_t begin, std::size_t bytes) {
  freed_[begin] = bytes;
  live_.erase(begin);
}

bool Allocations::was_freed(std::uintptr_t address) const {
  const auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return address < begin + bytes;
}

}  // namespace tilelab::emulator
