#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "estimator/execution/lanes.h"
#include "estimator/execution/words.h"

namespace tilelab::estimator {

/// The local memory of a warp's threads. A place is a thread's address, with its lane above it.
class LocalMemory {
 public:
  static std::uint64_t place(std::uint32_t address, std::size_t lane) {
    return std::uint64_t{lane} << 32U | address;
  }

  /// Loads 1, 2 or 4 bytes. More than 4 are loaded word by word.
  std::uint32_t load(std::uint64_t place, int bytes) const {
    const auto found = words_.find(word_of(place));
    if (found == words_.end()) return 0;
    return part_of_word(found->second.values[lane_of(place)], place, bytes);
  }

  void store(std::uint64_t place, std::uint32_t value, int bytes) {
    std::uint32_t& word = words_[word_of(place)].values[lane_of(place)];
    word = with_part(word, place, value, bytes);
  }

  /// Whether nobody knows the value of the word.
  bool is_unknown(std::uint64_t place) const {
    const auto found = words_.find(word_of(place));
    return found != words_.end() && has_lane(found->second.unknown, lane_of(place));
  }

  void set_unknown(std::uint64_t place, bool is_unknown) {
    Mask& unknown = words_[word_of(place)].unknown;
    const Mask lane = Mask{1} << lane_of(place);
    unknown = is_unknown ? unknown | lane : unknown & ~lane;
  }

 private:
  static std::uint32_t word_of(std::uint64_t place) {
    return static_cast<std::uint32_t>(place) >> 2U;
  }
  static std::size_t lane_of(std::uint64_t place) { return place >> 32U; }

  /// A word of each lane.
  struct Word {
    Lanes values{};
    Mask unknown = 0;
  };

  std::unordered_map<std::uint32_t, Word> words_;  // by a fourth of the address
};

}  // namespace tilelab::estimator
