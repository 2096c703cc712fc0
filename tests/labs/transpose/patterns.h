#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong transposes have in common. labs/transpose/lab.toml has a hint for each id.
namespace tilelab::reference {

using Elements = judge::WrongElements<float>;
using judge::Pattern;

/// Which element of `in` a mistake puts at row c and column r of `out`, counted in elements of
/// `in`.
using Source = std::function<std::size_t(std::size_t c, std::size_t r)>;

/// Whether all wrong elements that were written come from where `source` says.
inline bool come_from(const Matrix& in, const Elements& elements, const Source& source) {
  const auto length = static_cast<std::size_t>(in.rows);
  std::size_t written = 0;
  for (const std::size_t i : elements.wrong) {
    if (std::binary_search(elements.unwritten.begin(), elements.unwritten.end(), i)) continue;
    ++written;
    const std::size_t from = source(i / length, i % length);
    if (from >= in.values.size() || elements.got[i] != in.values[from]) return false;
  }
  return written > 0;
}

/// The tiles are at their places and not transposed inside, or the other way around.
inline Pattern find_tile_pattern(const Matrix& in, const Elements& elements) {
  const auto columns = static_cast<std::size_t>(in.columns);
  for (const std::size_t edge : {32, 16, 64, 8}) {
    const auto start = [=](std::size_t place) { return place / edge * edge; };
    const std::string size = std::to_string(edge) + " x " + std::to_string(edge);
    if (come_from(in, elements, [=](std::size_t c, std::size_t r) {
          return (start(r) + c % edge) * columns + start(c) + r % edge;
        })) {
      return {"tile_not_transposed", "The tiles of " + size +
                                         " elements are where they belong, but inside each of them "
                                         "rows are still rows."};
    }
    if (come_from(in, elements, [=](std::size_t c, std::size_t r) {
          return (start(c) + r % edge) * columns + start(r) + c % edge;
        })) {
      return {"blocks_not_swapped", "Each tile of " + size +
                                        " elements is transposed inside, but the tiles are where "
                                        "they came from."};
    }
  }
  return {};
}

/// The grid covers a part of the matrix, from its first row and column on.
inline Pattern find_grid_pattern(const Matrix& in, const Elements& elements) {
  const auto rows = static_cast<std::size_t>(in.rows);
  const auto columns = static_cast<std::size_t>(in.columns);
  const auto is_written = [&](std::size_t r, std::size_t c) {
    return !std::binary_search(elements.unwritten.begin(), elements.unwritten.end(), c * rows + r);
  };
  std::size_t last_row = 0, last_column = 0;
  while (last_row < rows && is_written(last_row, 0)) ++last_row;
  while (last_column < columns && is_written(0, last_column)) ++last_column;
  const std::size_t written = last_row * last_column;
  const bool is_rest =
      std::all_of(elements.unwritten.begin(), elements.unwritten.end(),
                  [&](std::size_t i) { return i % rows >= last_row || i / rows >= last_column; });
  if (!is_rest || written == 0 || elements.unwritten.size() != elements.size - written) return {};
  return {"grid_too_small", "Only the first " + std::to_string(last_row) + " rows and " +
                                std::to_string(last_column) +
                                " columns of `in` were transposed: does the grid cover the rest?"};
}

/// What was not written lies where tiles of 64 elements, or fewer, reach over the edge of the
/// matrix.
inline Pattern find_unwritten_pattern(const Matrix& in, const Elements& elements) {
  if (elements.unwritten.size() == elements.size) return {};
  if (Pattern found = find_grid_pattern(in, elements); !found.id.empty()) return found;
  constexpr std::size_t edge = 64;
  const auto rows = static_cast<std::size_t>(in.rows);
  const auto is_at_edge = [=](std::size_t place, int size) {
    return place >= static_cast<std::size_t>(size) / edge * edge;
  };
  const bool is_partial =
      std::all_of(elements.unwritten.begin(), elements.unwritten.end(), [&](std::size_t i) {
        return is_at_edge(i / rows, in.columns) || is_at_edge(i % rows, in.rows);
      });
  if (!is_partial) return {};
  return {"edge_unwritten",
          "What was never written lies in tiles that the matrix does not fill, at its last rows or "
          "columns."};
}

inline Pattern find_pattern(const Matrix& in, const Elements& elements) {
  const auto rows = static_cast<std::size_t>(in.rows);
  const auto columns = static_cast<std::size_t>(in.columns);
  if (come_from(in, elements, [=](std::size_t c, std::size_t r) { return c * rows + r; })) {
    return {"not_transposed", "Each wrong element is the one that `in` has at the same index."};
  }
  if (Pattern found = find_tile_pattern(in, elements); !found.id.empty()) return found;
  const Source row_too_short = [=](std::size_t c, std::size_t r) { return r * rows + c; };
  if (rows != columns && come_from(in, elements, row_too_short)) {
    return {"wrong_pitch",
            "Each wrong element is in[r * rows + c], as if a row of `in` had `rows` elements."};
  }
  const Source lengths_swapped = [=](std::size_t c, std::size_t r) {
    const std::size_t i = c * rows + r;
    return i % columns * rows + i / columns;
  };
  if (rows != columns && come_from(in, elements, lengths_swapped)) {
    return {"lengths_swapped",
            "This is the transpose of a matrix with as many rows as `in` has columns: the two "
            "lengths have changed places."};
  }
  return elements.unwritten.empty() ? Pattern{} : find_unwritten_pattern(in, elements);
}

}  // namespace tilelab::reference
