#pragma once

#include <cstdint>
#include <vector>

#include "contract/order.h"

/// The orders in which a launch runs its blocks and a block its threads.
namespace tilelab::emulator {

/// A small, fast, repeatable generator (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// A number below `bound`, which is > 0. The bias of the remainder does not matter here.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// A permutation of the blocks that needs no memory, whatever the grid's size.
class BlockOrder {
 public:
  BlockOrder(Order order, std::uint64_t blocks, Random& random);

  /// The number of the block that runs as the i-th.
  std::uint64_t operator[](std::uint64_t i) const;

 private:
  std::uint64_t blocks_;
  std::uint64_t stride_ = 1;
  std::uint64_t offset_ = 0;
  bool descending_;
};

/// Fills `ranks` with 0 .. ranks.size() - 1 in this order.
void order_threads(Order order, std::vector<unsigned>& ranks, Random& random);

}  // namespace tilelab::emulator
