#pragma once

#include <cstdint>
#include <vector>

namespace tilelab::emulator {

/// Numbers keys in the order in which they come up: 0, 1, 2, ...
class CodeTable {
 public:
  CodeTable() { clear(); }

  void clear() {
    keys_.clear();
    slots_.assign(256, 0);
  }
  std::size_t size() const { return keys_.size(); }
  std::uint64_t key(std::size_t number) const { return keys_[number]; }

  std::uint32_t number_of(std::uint64_t key) {
    std::uint32_t& slot = slot_of(key);
    if (slot != 0) return slot - 1;
    keys_.push_back(key);
    slot = static_cast<std::uint32_t>(keys_.size());
    if (keys_.size() * 2 > slots_.size()) grow();
    return static_cast<std::uint32_t>(keys_.size()) - 1;
  }

 private:
  std::uint32_t& slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key * 0x9e3779b97f4a7c15 >> 40 & mask;
    while (slots_[i] != 0 && keys_[slots_[i] - 1] != key) i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      slot_of(keys_[i]) = static_cast<std::uint32_t>(i) + 1;
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // number + 1; 0 is free
};

}  // namespace tilelab::emulator
