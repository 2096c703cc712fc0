#include "estimator/execution/local_memory.h"

#include "estimator/execution/words.h"

namespace tilelab::estimator {

namespace {

std::uint32_t word_of(std::uint64_t place) { return static_cast<std::uint32_t>(place) >> 2U; }

std::size_t lane_of(std::uint64_t place) { return place >> 32U; }

}  // namespace

std::uint32_t LocalMemory::load(std::uint64_t place, int bytes) const {
  const auto found = words_.find(word_of(place));
  if (found == words_.end()) return 0;
  return part_of_word(found->second.values[lane_of(place)], place, bytes);
}

void LocalMemory::store(std::uint64_t place, std::uint32_t value, int bytes) {
  std::uint32_t& word = words_[word_of(place)].values[lane_of(place)];
  word = with_part(word, place, value, bytes);
}

bool LocalMemory::is_unknown(std::uint64_t place) const {
  const auto found = words_.find(word_of(place));
  return found != words_.end() && has_lane(found->second.unknown, lane_of(place));
}

void LocalMemory::set_unknown(std::uint64_t place, bool is_unknown) {
  Mask& unknown = words_[word_of(place)].unknown;
  const Mask lane = Mask{1} << lane_of(place);
  unknown = is_unknown ? unknown | lane : unknown & ~lane;
}

}  // namespace tilelab::estimator
