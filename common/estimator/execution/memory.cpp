#include "estimator/execution/memory.h"

#include <bit>
#include <cstddef>

#include "estimator/execution/words.h"

namespace tilelab::estimator {

namespace {

/// A hash whose bits look random (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

std::uint32_t Memory::load(std::uint64_t address, int bytes) const {
  return part_of_word(word(address), address, bytes);
}

void Memory::store(std::uint64_t address, std::uint32_t value, int bytes) {
  const std::uint32_t old = bytes < 4 ? word(address) : 0;
  stored_[address >> 2U] = with_part(old, address, value, bytes);
}

std::uint32_t Memory::word(std::uint64_t address) const {
  const auto found = stored_.find(address >> 2U);
  return found != stored_.end() ? found->second : made_up(address & ~std::uint64_t{3});
}

std::uint32_t Memory::made_up(std::uint64_t address) const {
  const int at = array_at(address);
  const Contents contents =
      at < 0 ? Contents::zeros : arrays_[static_cast<std::size_t>(at)].contents;
  if (contents == Contents::zeros) return 0;
  const auto bits = static_cast<std::uint32_t>(mixed(address >> 2U));
  if (contents == Contents::bits) return bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8U) * 0x1p-24F);
}

int Memory::array_at(std::uint64_t address) const {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (address - arrays_[i].address < arrays_[i].bytes) return static_cast<int>(i);
  }
  return -1;
}

bool Memory::is_unknown(std::uint64_t address) const {
  return all_is_unknown ||
         (computed_.contains(array_at(address)) && !stored_.contains(address >> 2U));
}

}  // namespace tilelab::estimator
