#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace tilelab {

/// Draws test inputs that nobody can know before the run: all follow from the judge's seed.
class Random {
 public:
  /// The same seed and salt give the same numbers, whatever other tests ran before.
  explicit Random(std::uint64_t salt);

  /// Draws 64 bits.
  std::uint64_t bits() { return engine_(); }

  /// Draws a whole number in [0, end).
  std::uint64_t below(std::uint64_t end) {
    return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(engine_);
  }

  /// Draws a number in [low, high).
  float real(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(engine_);
  }

  /// Fills memory with random bits.
  void fill(std::span<std::byte> bytes) {
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      const std::uint64_t word = engine_();
      std::memcpy(&bytes[i], &word, 8);
    }
    const std::uint64_t rest = engine_();
    if (i < bytes.size()) std::memcpy(&bytes[i], &rest, bytes.size() - i);
  }

  /// Draws integers over the whole range of T.
  template <class T>
  std::vector<T> integers(std::size_t count) {
    static_assert(std::numeric_limits<T>::is_integer);
    std::vector<T> values(count);
    fill(std::as_writable_bytes(std::span(values)));
    return values;
  }

  /// Draws numbers in [low, high).
  std::vector<float> reals(std::size_t count, float low, float high) {
    std::vector<float> values(count);
    for (float& value : values) value = real(low, high);
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

namespace judge {

/// The size that draw_size() draws, or those that it goes through with Options::sizes_per_draw.
std::vector<int> sizes_in(int least, int most);

/// Has Catch2 run the test once for each of these sizes, and for each combination with others.
int each_of(const std::vector<int>& sizes);

}  // namespace judge

/// Draws a size from a range that includes both ends. A submission cannot know which sizes are
/// observed, but the same seed gives the same size.
int draw_size(int least, int most);

}  // namespace tilelab
