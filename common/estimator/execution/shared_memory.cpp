#include "estimator/execution/shared_memory.h"

#include <algorithm>
#include <cstring>

namespace tilelab::estimator {

std::uint32_t SharedMemory::load(std::uint64_t address, int bytes) const {
  std::uint32_t made = 0;
  const auto size = static_cast<std::size_t>(std::min(bytes, 4));
  if (address + size <= bytes_.size()) std::memcpy(&made, &bytes_[address], size);
  return made;
}

void SharedMemory::store(std::uint64_t address, std::uint32_t value, int bytes) {
  const auto size = static_cast<std::size_t>(std::min(bytes, 4));
  if (address + size <= bytes_.size()) std::memcpy(&bytes_[address], &value, size);
}

bool SharedMemory::is_unknown(std::uint64_t address) const {
  const std::size_t word = address / 4;
  return word < unknown_.size() && unknown_[word];
}

void SharedMemory::set_unknown(std::uint64_t address, bool is_unknown) {
  if (unknown_.empty()) {
    if (!is_unknown) return;
    unknown_.resize(bytes_.size() / 4 + 1);
  }
  const std::size_t word = address / 4;
  if (word < unknown_.size()) unknown_[word] = is_unknown;
}

}  // namespace tilelab::estimator
