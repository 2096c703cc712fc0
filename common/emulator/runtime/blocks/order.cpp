#include "emulator/runtime/blocks/order.h"

#include <algorithm>
#include <numeric>

namespace tilelab::emulator {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

BlockOrder::BlockOrder(Order order, std::uint64_t blocks, Random& random)
    : blocks_(blocks), descending_(order == Order::descending) {
  if (order != Order::random) return;
  // Steps of a length that shares no factor with the number of blocks visit each block once.
  do {
    stride_ = 1 + random.below(blocks);
  } while (std::gcd(stride_, blocks) != 1);
  offset_ = random.below(blocks);
}

std::uint64_t BlockOrder::operator[](std::uint64_t i) const {
  if (descending_) return blocks_ - 1 - i;
  // A grid has fewer than 2^63 blocks, but a product of two such numbers needs more than 64 bits.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{i} * stride_ + offset_) % blocks_);
}

void order_threads(Order order, std::vector<unsigned>& ranks, Random& random) {
  std::iota(ranks.begin(), ranks.end(), 0u);
  if (order == Order::descending) std::reverse(ranks.begin(), ranks.end());
  if (order == Order::random) {
    for (std::size_t i = ranks.size(); i > 1; --i) {
      std::swap(ranks[i - 1], ranks[random.below(i)]);
    }
  }
}

}  // namespace tilelab::emulator
