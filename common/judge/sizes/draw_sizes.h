#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tilelab {

/// A way to make the size of a problem of a number: a matrix of this many rows, say.
template <class Size>
struct Shape {
  std::function<Size(int)> size;  ///< Makes the size.
  int most;                       ///< A call with this number takes 50 ms, or so.
  int power = 1;                  ///< A call with twice the number takes 2^power times as long.
};

/// The same for tests of correctness, which call with other sizes, too.
template <class Size>
struct LargeShape {
  std::function<Size(int)> size;  ///< Makes the size.
  int usual;                      ///< The test calls with this number whatever the text says.
  int most;                       ///< A call with this number takes two seconds, or so.
  int power = 1;                  ///< A call with twice the number takes 2^power times as long.
};

namespace judge {

/// The numbers that are drawn for a shape.
struct NumberRange {
  int most;
  int power;
};

/// A number, and the shape that it is drawn for.
struct DrawnNumber {
  std::size_t shape;
  int number;
};

/// Does the work of draw_sizes(), below, without sizes.
std::vector<DrawnNumber> draw_numbers(const std::vector<NumberRange>& ranges);

/// Does the work of draw_large_sizes(), below, without sizes: draws numbers above `usual`.
std::vector<int> draw_large_numbers(int usual, const NumberRange& range);

}  // namespace judge

/// Draws sizes for tests of safety from all that a call has time for: a large one of each shape,
/// any one of any shape, those around the constants in the submission's text, where it may change
/// what it does, and one above their products.
template <class Size>
std::vector<Size> draw_sizes(const std::vector<Shape<Size>>& shapes) {
  std::vector<judge::NumberRange> ranges;
  for (const Shape<Size>& shape : shapes) ranges.push_back({shape.most, shape.power});
  std::vector<Size> sizes;
  for (const auto& [shape, number] : judge::draw_numbers(ranges)) {
    sizes.push_back(shapes[shape].size(number));
  }
  return sizes;
}

/// The same for problems whose size is a number.
std::vector<int> draw_sizes(int most, int power = 1);

/// Draws sizes for tests of correctness: those just above constants in the submission's text that
/// no other size reaches, where it may change what it does. Most submissions have no such constant.
template <class Size>
std::vector<Size> draw_large_sizes(const std::vector<LargeShape<Size>>& shapes) {
  std::vector<Size> sizes;
  for (const LargeShape<Size>& shape : shapes) {
    for (const int number : judge::draw_large_numbers(shape.usual, {shape.most, shape.power})) {
      sizes.push_back(shape.size(number));
    }
  }
  return sizes;
}

/// The same for problems whose size is a number.
std::vector<int> draw_large_sizes(int usual, int most, int power = 1);

/// Draws a number from `least` to twice as much, whatever the text says: a submission may tell
/// large calls from small ones without a constant. If there is a larger one up to `most` that is
/// above a product of constants, it is that.
int draw_long_size(int least, int most);

/// A number of elements that a float cannot count, and 16 bits not in tiles of 256, or none unless
/// the submission may count or index so: a call with this many takes seconds.
std::vector<int> sizes_beyond_narrow_counts();

}  // namespace tilelab
