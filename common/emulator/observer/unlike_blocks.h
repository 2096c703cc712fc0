#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emulator/observer/events/place_set.h"

namespace tilelab::emulator {

/// What a block did, as far as that is known without a trace.
struct BlockWork {
  std::uint64_t events = 0;  ///< How many accesses it made.
  std::optional<std::uint64_t>
      barriers;     ///< How many it passed, unless other blocks ran meanwhile.
  PlaceSet places;  ///< Where it made the accesses.
  std::optional<std::uint64_t>
      shape;  ///< How the accesses lie to each other, unless other blocks ran meanwhile.
};

/// Finds the blocks of a launch of which the traced ones say nothing.
class UnlikeBlocks {
 public:
  /// Takes a block that was traced, and has ended.
  void add_traced(const BlockWork& work);
  /// Takes one that was not.
  void add_other(std::uint64_t number, const BlockWork& work);

  /// Whether one of the others made far more accesses than any traced one.
  bool has_heavier() const;
  /// A few of the others that did what no traced one did: they made far more accesses, or some at
  /// other places, or passed more barriers, or fewer, or their accesses lie otherwise to each
  /// other.
  std::vector<std::uint64_t> numbers() const;

 private:
  struct Block {
    std::uint64_t number;
    BlockWork work;
  };

  std::uint64_t most_events_ = 0;  ///< Of traced blocks, as are the next three.
  std::uint64_t fewest_barriers_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_barriers_ = 0;
  PlaceSet places_;

  PlaceSet other_places_;
  std::vector<Block> at_new_places_;  ///< Others that made accesses where none before them did.
  std::optional<Block> heaviest_, fewest_, most_;  ///< Of the others.

  /// The first of the others with a shape, and how many have it.
  struct Alike {
    std::uint64_t number;
    std::uint64_t blocks = 0;
  };
  std::vector<Alike> rarest() const;

  std::set<std::uint64_t> shapes_;               ///< Of traced blocks.
  std::map<std::uint64_t, Alike> other_shapes_;  ///< Of the others.
};

}  // namespace tilelab::emulator
