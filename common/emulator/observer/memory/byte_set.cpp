#include "emulator/observer/memory/byte_set.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/observer/memory/reserved_memory.h"

namespace tilelab::emulator {

ByteSet::ByteSet(std::size_t capacity)
    : words_(static_cast<std::uint64_t*>(reserve_memory(capacity / 8))) {}

void ByteSet::clear() {
  if (count_ > 0) {
    std::memset(words_ + lowest_ / 64, 0, (highest_ / 64 - lowest_ / 64 + 1) * sizeof *words_);
  }
  count_ = 0;
  lowest_ = ~0u;
  highest_ = 0;
}

template <class Function>
void ByteSet::for_each_word(std::uint32_t begin, std::size_t bytes, Function function) const {
  for (std::size_t at = begin, end = begin + bytes; at < end;) {
    const std::size_t count = std::min<std::size_t>(64 - at % 64, end - at);
    const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    function(words_[at / 64], bits << at % 64);
    at += count;
  }
}

void ByteSet::add_range(std::uint32_t begin, std::size_t bytes) {
  if (bytes == 0) return;
  for_each_word(begin, bytes, [&](std::uint64_t& word, std::uint64_t bits) {
    count_ += static_cast<unsigned>(std::popcount(bits & ~word));
    word |= bits;
  });
  lowest_ = std::min(lowest_, begin);
  highest_ = std::max(highest_, static_cast<std::uint32_t>(begin + bytes - 1));
}

ByteSet::Gap ByteSet::missing(std::uint32_t begin, std::size_t bytes) const {
  Gap gap{begin, 0};
  std::uint32_t at = begin / 64 * 64;
  for_each_word(begin, bytes, [&](std::uint64_t word, std::uint64_t bits) {
    const std::uint64_t missing = bits & ~word;
    if (missing != 0 && gap.bytes == 0) {
      gap.first = at + static_cast<std::uint32_t>(std::countr_zero(missing));
    }
    gap.bytes += static_cast<unsigned>(std::popcount(missing));
    at += 64;
  });
  return gap;
}

std::vector<ByteSet::Word> ByteSet::members() const {
  std::vector<Word> result;
  if (count_ == 0) return result;
  for (std::uint32_t i = lowest_ / 64; i <= highest_ / 64; ++i) {
    if (words_[i] != 0) result.push_back({i * 64, words_[i]});
  }
  return result;
}

void ByteSet::add_word(const Word& word) {
  count_ += static_cast<unsigned>(std::popcount(word.bits & ~words_[word.begin / 64]));
  words_[word.begin / 64] |= word.bits;
  lowest_ = std::min(lowest_, word.begin);
  highest_ = std::max(highest_, word.begin + 63);
}

void ByteSet::remove_range(std::uint32_t begin, std::size_t bytes) {
  if (count_ == 0) return;  // and no page is used up
  for_each_word(begin, bytes, [&](std::uint64_t& word, std::uint64_t bits) {
    count_ -= static_cast<unsigned>(std::popcount(bits & word));
    word &= ~bits;
  });
}

}  // namespace tilelab::emulator
