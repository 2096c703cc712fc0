#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tilelab::emulator {

/// A set of positions in a block's running order, made for one question: which one is next?
class PositionSet {
 public:
  static constexpr unsigned capacity = 1024;

  /// Empties the set and limits it to the positions below `size`.
  void reset(unsigned size) {
    word_count_ = (size + 63) / 64;
    clear();
  }
  /// Makes it the set of all positions below `size`.
  void fill(unsigned size) {
    reset(size);
    for (unsigned i = 0; i < word_count_; ++i) words_[i] = ~std::uint64_t{0};
    if (size % 64 != 0) words_[word_count_ - 1] = bit(size) - 1;
  }
  void insert(unsigned position) { words_[position / 64] |= bit(position); }
  void erase(unsigned position) { words_[position / 64] &= ~bit(position); }

  unsigned size() const {
    unsigned size = 0;
    for (unsigned i = 0; i < word_count_; ++i)
      size += static_cast<unsigned>(std::popcount(words_[i]));
    return size;
  }

  void insert_all(const PositionSet& other) {
    for (unsigned i = 0; i < word_count_; ++i) words_[i] |= other.words_[i];
  }
  void clear() {
    for (unsigned i = 0; i < word_count_; ++i) words_[i] = 0;
  }

  /// The first member after `position`, wrapping around; `position` itself comes last. -1 if empty.
  int next_after(unsigned position) const {
    const unsigned start = position / 64;
    const std::uint64_t later = ~((bit(position) << 1) - 1);
    if (const std::uint64_t rest = words_[start] & later) return first(start, rest);
    for (unsigned i = start + 1; i < word_count_; ++i) {
      if (words_[i] != 0) return first(i, words_[i]);
    }
    for (unsigned i = 0; i <= start; ++i) {
      if (words_[i] != 0) return first(i, words_[i]);
    }
    return -1;
  }

 private:
  static std::uint64_t bit(unsigned position) { return std::uint64_t{1} << (position % 64); }
  static int first(unsigned word, std::uint64_t bits) {
    return static_cast<int>(word * 64) + std::countr_zero(bits);
  }

  std::array<std::uint64_t, capacity / 64> words_{};
  unsigned word_count_ = 0;
};

}  // namespace tilelab::emulator
