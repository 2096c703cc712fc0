#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The right results of the lab `transpose`.
namespace tilelab::reference {

/// A matrix as the contract stores it: row after row.
struct Matrix {
  int rows = 0;               ///< The number of rows.
  int columns = 0;            ///< The length of a row.
  std::vector<float> values;  ///< All elements.

  /// A matrix of zeros.
  Matrix(int rows_, int columns_)
      : rows(rows_),
        columns(columns_),
        values(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_)) {}

  /// A square matrix of zeros, for the tests that measure time.
  explicit Matrix(std::size_t side) : Matrix(static_cast<int>(side), static_cast<int>(side)) {}

  /// The element in row r and column c.
  float at(std::size_t r, std::size_t c) const {
    return values[r * static_cast<std::size_t>(columns) + c];
  }
};

/// An element of the transpose of `in`, named by its index. It is only moved: no tolerance.
inline float transposed_at(const Matrix& in, std::size_t i) {
  const auto row_length = static_cast<std::size_t>(in.rows);
  return in.at(i % row_length, i / row_length);
}

/// The whole transpose.
inline std::vector<float> transposed(const Matrix& in) {
  std::vector<float> out(in.values.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = transposed_at(in, i);
  return out;
}

}  // namespace tilelab::reference
