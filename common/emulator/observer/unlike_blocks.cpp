#include "emulator/observer/unlike_blocks.h"

#include <algorithm>

namespace tilelab::emulator {
namespace {

// Where a block has a few elements more than others, it makes a few more accesses.
constexpr std::uint64_t far_more = 2;
constexpr std::size_t most_numbers = 8;
constexpr std::size_t most_shapes = 1024;  // more are those of blocks that do what their data say

}  // namespace

void UnlikeBlocks::add_traced(const BlockWork& work) {
  most_events_ = std::max(most_events_, work.events);
  places_.add(work.places);
  if (work.shape) shapes_.insert(*work.shape);
  if (!work.barriers) return;
  fewest_barriers_ = std::min(fewest_barriers_, *work.barriers);
  most_barriers_ = std::max(most_barriers_, *work.barriers);
}

void UnlikeBlocks::add_other(std::uint64_t number, const BlockWork& work) {
  const Block block = {number, work};
  if (!heaviest_ || heaviest_->work.events < work.events) heaviest_ = block;
  if (other_places_.add(work.places)) at_new_places_.push_back(block);
  if (work.shape && other_shapes_.size() < most_shapes) {
    ++other_shapes_.try_emplace(*work.shape, Alike{number}).first->second.blocks;
  }
  if (!work.barriers) return;
  if (!fewest_ || *work.barriers < *fewest_->work.barriers) fewest_ = block;
  if (!most_ || *work.barriers > *most_->work.barriers) most_ = block;
}

bool UnlikeBlocks::has_heavier() const {
  return heaviest_ && heaviest_->work.events > far_more * most_events_;
}

std::vector<std::uint64_t> UnlikeBlocks::numbers() const {
  std::vector<std::uint64_t> numbers;
  const auto add = [&](const Block& block) {
    const bool is_new = std::find(numbers.begin(), numbers.end(), block.number) == numbers.end();
    if (is_new && numbers.size() < most_numbers) numbers.push_back(block.number);
  };
  if (has_heavier()) add(*heaviest_);
  if (fewest_ && *fewest_->work.barriers < fewest_barriers_) add(*fewest_);
  if (most_ && *most_->work.barriers > most_barriers_) add(*most_);
  PlaceSet known = places_;
  for (const Block& block : at_new_places_) {
    if (known.add(block.work.places)) add(block);
  }
  for (const Alike& one : rarest()) add({one.number, {}});
  return numbers;
}

/// The blocks with shapes that no traced one has. At the edges of a grid many have the same.
std::vector<UnlikeBlocks::Alike> UnlikeBlocks::rarest() const {
  std::vector<Alike> found;
  for (const auto& [shape, blocks] : other_shapes_) {
    if (!shapes_.contains(shape)) found.push_back(blocks);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Alike& a, const Alike& b) { return a.blocks < b.blocks; });
  return found;
}

}  // namespace tilelab::emulator
