#include "emulator/observer/races/knowledge.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilelab::emulator {
namespace {

using Time = KnownOfBlock::Time;

/// The later of each thread's times.
std::vector<Time> joined_times(const std::vector<Time>& a, const std::vector<Time>& b) {
  std::vector<Time> both;
  both.reserve(a.size() + b.size());
  auto in_b = b.begin();
  for (const Time& one : a) {
    for (; in_b != b.end() && in_b->thread < one.thread; ++in_b) both.push_back(*in_b);
    const bool is_in_both = in_b != b.end() && in_b->thread == one.thread;
    both.push_back({one.thread, is_in_both ? std::max(one.time, in_b->time) : one.time});
    if (is_in_both) ++in_b;
  }
  both.insert(both.end(), in_b, b.end());
  return both;
}

/// What one knows of a later interval includes all of an earlier one.
KnownOfBlock joined_of_block(const KnownOfBlock& a, const KnownOfBlock& b) {
  if (a.begin != b.begin) return a.begin > b.begin ? a : b;
  return {a.block, a.begin, std::max(a.end, b.end), joined_times(a.times, b.times)};
}

}  // namespace

bool KnownOfBlock::contains(std::uint32_t epoch, unsigned thread, std::uint32_t time) const {
  if (epoch < begin) return true;
  if (epoch > end) return false;
  const auto found =
      std::lower_bound(times.begin(), times.end(), thread,
                       [](const Time& one, unsigned wanted) { return one.thread < wanted; });
  return found != times.end() && found->thread == thread && time < found->time;
}

/// A leaf holds what is known of one block. Any other node has two children: the numbers of their
/// blocks agree in all bits above `bit`, and differ in it.
struct Knowledge::Node {
  std::uint32_t block = 0;  ///< A block below this node.
  std::uint32_t bit = 0;    ///< 0 in a leaf.
  KnownOfBlock known;
  Tree zero;
  Tree one;

  bool is_leaf() const { return bit == 0; }
  /// Whether the block belongs below this node.
  bool covers(std::uint32_t other) const {
    const std::uint32_t above = ~(bit | (bit - 1));
    return is_leaf() ? block == other : (block & above) == (other & above);
  }
};

Knowledge::Knowledge(KnownOfBlock known) {
  Node leaf;
  leaf.block = known.block;
  leaf.known = std::move(known);
  root_ = std::make_shared<const Node>(std::move(leaf));
}

const KnownOfBlock* Knowledge::of(std::uint32_t block) const {
  const Node* node = root_.get();
  while (node != nullptr && !node->is_leaf()) {
    node = ((block & node->bit) != 0 ? node->one : node->zero).get();
  }
  return node != nullptr && node->block == block ? &node->known : nullptr;
}

Knowledge::Tree Knowledge::joined(const Tree& a, const Tree& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (a->is_leaf() && b->is_leaf() && a->block == b->block) return joined_leaves(a, b);
  if (a->bit == b->bit && !a->is_leaf() && a->covers(b->block)) {
    const Tree zero = joined(a->zero, b->zero), one = joined(a->one, b->one);
    return zero == b->zero && one == b->one ? b : with_children(a, zero, one);
  }
  if (a->bit > b->bit && a->covers(b->block)) {
    const bool is_one = (b->block & a->bit) != 0;
    return is_one ? with_children(a, a->zero, joined(a->one, b))
                  : with_children(a, joined(a->zero, b), a->one);
  }
  if (b->bit > a->bit && b->covers(a->block)) {
    const bool is_one = (a->block & b->bit) != 0;
    return is_one ? with_children(b, b->zero, joined(a, b->one))
                  : with_children(b, joined(a, b->zero), b->one);
  }
  return fork(a, b);
}

Knowledge::Tree Knowledge::joined_leaves(const Tree& a, const Tree& b) {
  KnownOfBlock both = joined_of_block(a->known, b->known);
  if (both == a->known) return a;
  return both == b->known ? b : Knowledge(std::move(both)).root_;
}

/// The parent of two trees that have no block in common.
Knowledge::Tree Knowledge::fork(const Tree& a, const Tree& b) {
  Node node;
  node.block = a->block;
  node.bit = std::bit_floor(a->block ^ b->block);
  const bool is_one = (a->block & node.bit) != 0;
  node.zero = is_one ? b : a;
  node.one = is_one ? a : b;
  return std::make_shared<const Node>(std::move(node));
}

Knowledge::Tree Knowledge::with_children(const Tree& parent, const Tree& zero, const Tree& one) {
  if (zero == parent->zero && one == parent->one) return parent;
  Node node;
  node.block = parent->block;
  node.bit = parent->bit;
  node.zero = zero;
  node.one = one;
  return std::make_shared<const Node>(std::move(node));
}

}  // namespace tilelab::emulator
