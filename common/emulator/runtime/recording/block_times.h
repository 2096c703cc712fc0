#pragma once

#include <cstdint>
#include <vector>

namespace tilelab::emulator {

/// How long the blocks of a launch run, one after the other. It remembers the longest.
class BlockTimes {
 public:
  /// From now on, the block with this number runs.
  void runs(std::uint64_t number);
  /// All have run.
  void end();
  /// The numbers of a few blocks that ran for far longer than others, if that was a part of the
  /// launch that matters; the longest first. A block that others interrupted counts in pieces.
  std::vector<std::uint64_t> far_longer() const;

 private:
  struct Piece {
    std::uint64_t number;
    double seconds;
  };

  void take(double now);

  Piece running_{};
  double since_ = 0;            ///< When that began; 0 if none runs.
  std::vector<Piece> longest_;  ///< The longest first.
  std::uint64_t pieces_ = 0;
  double seconds_ = 0;  ///< Of all of them.
};

}  // namespace tilelab::emulator
