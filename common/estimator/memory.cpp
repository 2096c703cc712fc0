#include "estimator/memory.h"

#include <bit>

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

std::uint32_t Memory::made_up(std::uint64_t address) const {
  const int at = array_at(address);
  const Contents contents =
      at < 0 ? Contents::zeros : arrays_[static_cast<std::size_t>(at)].contents;
  if (contents == Contents::zeros) return 0;
  const auto bits = static_cast<std::uint32_t>(mixed(address >> 2U));
  if (contents == Contents::bits) return bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8U) * 0x1p-24F);
}

}  // namespace tilelab::estimator
