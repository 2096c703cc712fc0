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
    const std::uint64_t block = random.below(block_count);
    if (std::find(chosen_.begin(), chosen_.end(), block) == chosen_.end()) chosen_.push_back(block);
  }
  std::sort(chosen_.begin(), chosen_.end());
}

bool BlockSample::contains(std::uint64_t block) const {
  return chosen_.empty() || std::binary_search(chosen_.begin(), chosen_.end(), block);
}

}  // namespace tilelab::emulator
