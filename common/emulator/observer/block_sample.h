#pragma once

#include <cstdint>
#include <vector>

namespace tilelab::emulator {

/// The blocks of a launch that are traced.
class BlockSample {
 public:
  /// Chooses at most `limit` of the blocks for a search of mistakes: the first, the last two and
  /// pairs of neighbors in between, which the seed decides. A limit of 0 means all.
  /// @param more  the numbers of others, beyond the limit
  void choose(std::uint64_t block_count, std::uint64_t limit, std::uint64_t seed,
              const std::vector<std::uint64_t>& more = {});

  /// The same for counts that are scaled to all blocks: the first and pairs of neighbors. If the
  /// first does what the others left, the counts are far too high, which is a reason to look at all
  /// blocks. The last one is left out, as it may have a single element.
  void choose_for_counts(std::uint64_t block_count, std::uint64_t limit, std::uint64_t seed);

  bool contains(std::uint64_t block) const;
  /// Whether it contains every block.
  bool has_all() const { return chosen_.empty(); }

 private:
  void add(std::uint64_t block, std::uint64_t limit);
  void add_pairs(std::uint64_t begin, std::uint64_t end, std::uint64_t limit, std::uint64_t seed);

  std::vector<std::uint64_t> chosen_;  ///< In order; empty if all are chosen.
};

}  // namespace tilelab::emulator
