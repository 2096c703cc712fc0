#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

/// A set of compressed addresses. It has a bit per byte, and takes up memory page by page as it is
/// used.
namespace tilelab::emulator {

class ByteSet {
 public:
  explicit ByteSet(std::size_t capacity);
  ByteSet(const ByteSet&) = delete;
  ByteSet& operator=(const ByteSet&) = delete;

  void clear();
  std::uint64_t count() const { return count_; }

  /// Adds up to 16 bytes that do not cross a multiple of 16.
  void add(std::uint32_t begin, unsigned bytes) {
    const std::uint64_t bits = mask(begin, bytes);
    std::uint64_t& word = words_[begin / 64];
    if ((word & bits) == bits) return;
    if (word == 0) use(begin);
    count_ += static_cast<unsigned>(std::popcount(bits & ~word));
    word |= bits;
  }
  void add_range(std::uint32_t begin, std::size_t bytes);
  void remove_range(std::uint32_t begin, std::size_t bytes);

  /// The bytes of a range that are not in the set.
  struct Gap {
    std::uint32_t first;  ///< The first of them.
    std::size_t bytes;    ///< How many there are.
  };
  Gap missing(std::uint32_t begin, std::size_t bytes) const;

  /// 64 bytes in a row, of which some are in the set: a bit each.
  struct Word {
    std::uint32_t begin;
    std::uint64_t bits;
  };
  /// All of the set, in the order of the addresses.
  std::vector<Word> members() const;
  void add_word(const Word& word);

  /// Whether up to 16 bytes that do not cross a multiple of 16 are all in the set.
  bool contains(std::uint32_t begin, unsigned bytes) const {
    const std::uint64_t bits = mask(begin, bytes);
    return (words_[begin / 64] & bits) == bits;
  }
  /// Whether all of them are in the set or in the other one.
  bool contains_with(const ByteSet& other, std::uint32_t begin, unsigned bytes) const {
    const std::uint64_t bits = mask(begin, bytes);
    return ((words_[begin / 64] | other.words_[begin / 64]) & bits) == bits;
  }
  /// Whether some aligned word of 4 of these bytes is in it in part.
  bool contains_part_of_word(std::uint32_t begin, unsigned bytes) const {
    const std::uint64_t bits = words_[begin / 64] >> begin % 64;
    for (unsigned at = 0; at + 4 <= bytes; at += 4) {
      const std::uint64_t word = bits >> at & 0xf;
      if (word != 0 && word != 0xf) return true;
    }
    return false;
  }

 private:
  static std::uint64_t mask(std::uint32_t begin, unsigned bytes) {
    return ((std::uint64_t{1} << bytes) - 1) << begin % 64;
  }
  /// Calls a function with a Word for each part of a range.
  template <class Function>
  static void for_each_word(std::uint32_t begin, std::size_t bytes, Function function);

  /// Notes that the part that an address is in is no longer empty.
  void use(std::uint32_t address) {
    const std::uint32_t part = address / part_bytes;
    if (is_used_[part]) return;
    is_used_[part] = true;
    used_.push_back(part);
  }

  /// A variable and an array can be gigabytes apart, so what is cleared is cleared by parts.
  static constexpr std::uint32_t part_bytes = 1 << 16;
  static constexpr std::size_t words_of_part = part_bytes / 64;

  std::uint64_t* words_;
  std::uint64_t count_ = 0;
  std::vector<bool> is_used_;
  std::vector<std::uint32_t> used_;
};

}  // namespace tilelab::emulator
