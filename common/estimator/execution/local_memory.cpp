#include "estimator/execution/local_memory.h"

#include "estimator/execution/words.h"

namespace tilelab::estimator {

std::uint32_t LocalMemory::load(std::uint64_t place, int bytes) const {
  const auto found = words_.find(place >> 2U);
  return found == words_.end() ? 0 : part_of_word(found->second.value, place, bytes);
}

void LocalMemory::store(std::uint64_t place, std::uint32_t value, int bytes) {
  Word& word = words_[place >> 2U];
  word.value = with_part(word.value, place, value, bytes);
}

bool LocalMemory::is_unknown(std::uint64_t place) const {
  const auto found = words_.find(place >> 2U);
  return found != words_.end() && found->second.is_unknown;
}

void LocalMemory::set_unknown(std::uint64_t place, bool is_unknown) {
  words_[place >> 2U].is_unknown = is_unknown;
}

}  // namespace tilelab::estimator
