#include "emulator/observer/block_sample.h"

#include <algorithm>

#include "emulator/runtime/blocks/order.h"

namespace tilelab::emulator {

void BlockSample::choose(std::uint64_t block_count, std::uint64_t limit, std::uint64_t seed) {
  chosen_.clear();
  if (limit == 0 || block_count <= limit) return;
  chosen_ = {0};
  if (limit > 1) chosen_.push_back(block_count - 1);
  Random random(seed);
  while (chosen_.size() < limit) {
    // Blocks that touch each other's elements are most likely neighbors.
    const std::uint64_t block = random.below(block_count - 1);
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
