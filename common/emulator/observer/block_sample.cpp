#include "emulator/observer/block_sample.h"

#include <algorithm>

#include "emulator/runtime/blocks/order.h"

namespace tilelab::emulator {

void BlockSample::choose(std::uint64_t block_count, std::uint64_t limit, std::uint64_t seed,
                         const std::vector<std::uint64_t>& more) {
  chosen_.clear();
  if (limit == 0 || block_count <= limit) return;
  // The last block may have a single element, and the one before it is the last whole one.
  for (const std::uint64_t block : {std::uint64_t{0}, block_count - 1, block_count - 2}) {
    add(block, limit);
  }
  add_pairs(0, block_count, limit, seed);
  for (const std::uint64_t block : more) add(block, limit + more.size());
  std::sort(chosen_.begin(), chosen_.end());
}

void BlockSample::choose_for_counts(std::uint64_t block_count, std::uint64_t limit,
                                    std::uint64_t seed) {
  chosen_.clear();
  if (limit == 0 || block_count <= limit + 2) return;
  add(0, limit);
  add_pairs(1, block_count - 1, limit, seed);
}

void BlockSample::add_pairs(std::uint64_t begin, std::uint64_t end, std::uint64_t limit,
                            std::uint64_t seed) {
  Random random(seed);
  while (chosen_.size() < limit) {
    // Blocks that touch each other's elements are most likely neighbors.
    const std::uint64_t block = begin + random.below(end - begin - 1);
    add(block, limit);
    add(block + 1, limit);
  }
  std::sort(chosen_.begin(), chosen_.end());
}

void BlockSample::add(std::uint64_t block, std::uint64_t limit) {
  const bool is_new = std::find(chosen_.begin(), chosen_.end(), block) == chosen_.end();
  if (is_new && chosen_.size() < limit) chosen_.push_back(block);
}

bool BlockSample::contains(std::uint64_t block) const {
  return chosen_.empty() || std::binary_search(chosen_.begin(), chosen_.end(), block);
}

}  // namespace tilelab::emulator
