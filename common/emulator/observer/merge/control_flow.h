#pragma once

#include <cstdint>
#include <vector>

/// The basic blocks that were seen to run, and the loops that they form.
namespace tilelab::emulator {

/// A basic block, by a small number. 0 is where every thread begins.
using BlockId = std::uint32_t;

class ControlFlow {
 public:
  ControlFlow();

  BlockId id_of(std::uint32_t place) {
    const BlockId known = ids_[place] & ~header_bit;
    return known != 0 ? known : add(place);
  }

  /// One block ran after the other.
  void saw(BlockId from, BlockId to) {
    Block& block = blocks_[from];
    if (block.recent[0] == to || block.recent[1] == to) return;
    saw_slowly(from, to);
  }

  /// Finds the loops again if blocks came up in an order that was not seen before.
  void update() {
    if (is_outdated_) find_loops();
  }

  /// Whether a loop begins there. Every cycle of blocks goes through one of these.
  bool is_header(std::uint32_t place) const { return (ids_[place] & header_bit) != 0; }

  /// Where a thread is: a block, and which round of each loop around it.
  struct Position {
    BlockId block = 0;
    std::vector<std::uint32_t> rounds;  ///< by the loop's header; beyond the end: 0
  };

  void enter(Position& position, BlockId block) const;

  /// Negative, 0 or positive, as `a` comes before, is at, or comes after `b`: first by the order in
  /// the outermost region, then by the round of its loop, then by the order within, and so on.
  int compare(const Position& a, const Position& b) const;

 private:
  static constexpr BlockId no_block = ~0u;
  static constexpr BlockId header_bit = 1u << 31;

  struct Level {
    std::uint32_t order;  ///< in the region
    BlockId header;       ///< of the loop that lies there; no_block for a single block
  };
  struct Block {
    BlockId recent[2] = {no_block, no_block};  ///< successors
    std::vector<BlockId> successors;
    std::vector<Level> levels;  ///< from the outermost region inwards
    std::uint32_t place = 0;
    bool is_header = false;
  };

  BlockId add(std::uint32_t place);
  void saw_slowly(BlockId from, BlockId to);
  void find_loops();
  void split_region(const std::vector<BlockId>& region, BlockId header);
  BlockId entry_of(const std::vector<BlockId>& part, const std::vector<BlockId>& region,
                   BlockId header) const;
  std::vector<std::vector<BlockId>> components(const std::vector<BlockId>& region,
                                               BlockId header) const;

  BlockId* ids_;  ///< by place, with a bit for headers; 0: not seen yet
  std::vector<Block> blocks_;
  bool is_outdated_ = false;
};

}  // namespace tilelab::emulator
