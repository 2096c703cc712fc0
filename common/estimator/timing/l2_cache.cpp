#include "estimator/timing/l2_cache.h"

#include <bit>

namespace tilelab::estimator {

std::uint8_t whole_pairs(std::uint8_t sectors) {
  const auto lower = static_cast<std::uint8_t>((sectors | sectors >> 1U) & 0b0101U);
  return static_cast<std::uint8_t>(lower | lower << 1U);
}

int L2Cache::load(std::uint64_t line, std::uint8_t sectors, int block, double share) {
  Entry& it = use(line, block);
  const auto missing = static_cast<std::uint8_t>(sectors & ~it.held);
  return hold(it, whole_pairs(missing), share);
}

int L2Cache::store(std::uint64_t line, std::uint8_t sectors, int block, double share) {
  Entry& it = use(line, block);
  const auto added = static_cast<std::uint8_t>(sectors & ~it.stored);
  it.stored |= sectors;
  hold(it, sectors, share);
  return std::popcount(added);
}

/// A line's entry, which is empty if the line has left or was never there.
L2Cache::Entry& L2Cache::use(std::uint64_t line, int block) {
  Entry& it = entries_[line * 64 + static_cast<std::uint64_t>(block % 64)];
  if (it.held != 0 && came_in_ - it.used > bytes_) it = {};
  it.used = came_in_;
  return it;
}

/// @return how many of the sectors the entry did not hold yet
int L2Cache::hold(Entry& it, std::uint8_t sectors, double share) {
  const int added = std::popcount(static_cast<std::uint8_t>(sectors & ~it.held));
  it.held |= sectors;
  came_in_ += added * sector_bytes * share;
  return added;
}

}  // namespace tilelab::estimator
