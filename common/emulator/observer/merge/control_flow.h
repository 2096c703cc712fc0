#pragma once

#include <cstdint>
#include <vector>

/// The basic blocks that have run, and the loops that they form.
namespace tilelab::emulator {

/// The number of a basic block. Every thread begins at 0.
using BlockId = std::uint32_t;

class ControlFlow {
 public:
  ControlFlow();

  BlockId id_of(std::uint32_t place) {
    const BlockId known = ids_[place] & ~header_bit;
    return known != 0 ? known : add(place);
  }

  /// Notes that one block ran after the other.
  void saw(BlockId from, BlockId to) {
    Block& block = blocks_[from];
    if (block.recent[0] == to || block.recent[1] == to) return;
    saw_slowly(from, to);
  }

  /// Finds the loops again if blocks ran in an order that was not seen before.
  void update() {
    if (is_outdated_) find_loops();
  }

  /// Whether a loop begins there. Every cycle of blocks goes through such a block.
  bool is_header(std::uint32_t place) const { return (ids_[place] & header_bit) != 0; }

  /// Whether every way from a block to the end of the kernel that was seen goes through the other.
  bool always_leads_to(BlockId from, BlockId to) const;

  /// Whether no other block was seen to follow.
  bool is_end(BlockId block) const { return blocks_[block].successors.empty(); }

  /// Where a thread is: at which block, and in which round of each loop around it.
  struct Position {
    BlockId block = 0;
    std::vector<std::uint32_t> rounds;  ///< By the loop's header; 0 beyond the end.

    bool operator==(const Position&) const = default;
  };

  void enter(Position& position, BlockId block) const;

  /// Negative if `a` comes before `b`, positive if it comes after, else 0. Compares the order in
  /// the outermost region first, then the round of its loop, then the order inside, and so on.
  int compare(const Position& a, const Position& b) const;

 private:
  static constexpr BlockId no_block = ~0u;
  static constexpr BlockId header_bit = 1u << 31;

  struct Level {
    std::uint32_t order;  ///< The order in the region.
    BlockId header;       ///< The header of the loop there; no_block for a single block.
  };
  struct Block {
    BlockId recent[2] = {no_block, no_block};  ///< The two most recent successors.
    std::vector<BlockId> successors;
    std::vector<Level> levels;  ///< From the outermost region inwards.
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

  BlockId* ids_;  ///< By place, with a bit for headers; 0 if not seen yet.
  std::vector<Block> blocks_;
  bool is_outdated_ = false;
};

}  // namespace tilelab::emulator
