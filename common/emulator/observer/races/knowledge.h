#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tilelab::emulator {

/// What is known of the accesses that a block has made: all of those before an epoch, and of those
/// in the interval between two barriers that begins there, what each thread did before some time.
struct KnownOfBlock {
  struct Time {
    std::uint16_t thread;
    std::uint16_t time;
    bool operator==(const Time&) const = default;
  };
  std::uint32_t block = 0;  ///< The number of the block, in the order in which blocks begin.
  std::uint32_t begin = 0;  ///< The interval begins with this epoch.
  std::uint32_t end = 0;    ///< The last epoch of the interval so far. It is part of it.
  std::vector<Time> times;  ///< By thread, in ascending order. A time is not part of what is known.

  bool operator==(const KnownOfBlock&) const = default;

  /// Whether an access of the block is known.
  bool contains(std::uint32_t epoch, unsigned thread, std::uint32_t time) const;
};

/// What is known of all blocks of a launch.
///
/// This is a value that never changes, a Patricia tree by the numbers of blocks, and all copies
/// share their parts. When each block passes on what it knows of the blocks before, as with a
/// counter of the blocks that are done, the memory grows with the number of blocks, not with its
/// square. (C. Okasaki and A. Gill, Fast mergeable integer maps, 1998.)
class Knowledge {
 public:
  Knowledge() = default;
  explicit Knowledge(KnownOfBlock known);

  bool is_empty() const { return root_ == nullptr; }

  /// What is known of the block; null for nothing.
  const KnownOfBlock* of(std::uint32_t block) const;

  /// Adds what the other knows.
  void join(const Knowledge& other) { root_ = joined(root_, other.root_); }

  /// Whether the two share all parts. Then they are equal; otherwise they may be.
  bool is_same(const Knowledge& other) const { return root_ == other.root_; }

 private:
  struct Node;
  using Tree = std::shared_ptr<const Node>;

  static Tree joined(const Tree& a, const Tree& b);
  static Tree joined_leaves(const Tree& a, const Tree& b);
  static Tree fork(const Tree& a, const Tree& b);
  /// @return the parent itself if these are its children
  static Tree with_children(const Tree& parent, const Tree& zero, const Tree& one);

  Tree root_;
};

}  // namespace tilelab::emulator
