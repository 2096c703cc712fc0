#include "emulator/observer/memory/byte_set.h"

#include <algorithm>
#include <bit>

#include "emulator/observer/memory/reserved_memory.h"

namespace tilelab::emulator {

ByteSet::ByteSet(std::size_t capacity)
    : words_(static_cast<std::uint64_t*>(reserve_memory(capacity / 8))),
      is_used_(capacity / part_bytes + 1) {}

void ByteSet::clear() {
  for (const std::uint32_t part : used_) {
    std::fill_n(words_ + part * words_of_part, words_of_part, 0);
    is_used_[part] = false;
  }
  used_.clear();
  count_ = 0;
}

template <class Function>
void ByteSet::for_each_word(std::uint32_t begin, std::size_t bytes, Function function) {
  for (std::size_t at = begin, end = begin + bytes; at < end;) {
    const std::size_t count = std::min<std::size_t>(64 - at % 64, end - at);
    const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    function(Word{static_cast<std::uint32_t>(at / 64 * 64), bits << at % 64});
    at += count;
  }
}

void ByteSet::add_range(std::uint32_t begin, std::size_t bytes) {
  for_each_word(begin, bytes, [&](const Word& word) { add_word(word); });
}

ByteSet::Gap ByteSet::missing(std::uint32_t begin, std::size_t bytes) const {
  Gap gap{begin, 0};
  for_each_word(begin, bytes, [&](const Word& word) {
    const std::uint64_t missing = word.bits & ~words_[word.begin / 64];
    if (missing != 0 && gap.bytes == 0) {
      gap.first = word.begin + static_cast<std::uint32_t>(std::countr_zero(missing));
    }
    gap.bytes += static_cast<unsigned>(std::popcount(missing));
  });
  return gap;
}

std::vector<ByteSet::Word> ByteSet::members() const {
  std::vector<std::uint32_t> parts = used_;
  std::sort(parts.begin(), parts.end());
  std::vector<Word> result;
  for (const std::uint32_t part : parts) {
    for (std::size_t i = part * words_of_part; i < (part + 1) * words_of_part; ++i) {
      if (words_[i] != 0) result.push_back({static_cast<std::uint32_t>(i) * 64, words_[i]});
    }
  }
  return result;
}

void ByteSet::add_word(const Word& word) {
  std::uint64_t& bits = words_[word.begin / 64];
  if (bits == 0) use(word.begin);
  count_ += static_cast<unsigned>(std::popcount(word.bits & ~bits));
  bits |= word.bits;
}

void ByteSet::remove_range(std::uint32_t begin, std::size_t bytes) {
  if (count_ == 0) return;  // and no page is used up
  for_each_word(begin, bytes, [&](const Word& word) {
    std::uint64_t& bits = words_[word.begin / 64];
    count_ -= static_cast<unsigned>(std::popcount(word.bits & bits));
    bits &= ~word.bits;
  });
}

}  // namespace tilelab::emulator
