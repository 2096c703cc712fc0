#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "judge/checks/check.h"
#include "reference.h"

/// Finds out what a wrong product has computed instead. It compares a few wrong elements with what
/// the usual mistakes would compute. labs/matmul/lab.toml has a hint for each id.
namespace tilelab::reference {

using judge::Pattern;
using Elements = judge::WrongElements<float>;

/// A wrong element.
struct Wrong {
  std::size_t row, column;
  float got;
};

/// Some of the wrong elements that were written.
inline std::vector<Wrong> some_wrong(const Factors& in, const Elements& elements) {
  constexpr std::size_t enough = 5;
  const std::size_t stride = (elements.wrong.size() + enough - 1) / enough;
  std::vector<Wrong> some;
  for (std::size_t k = 0; k < elements.wrong.size(); k += stride) {
    const std::size_t i = elements.wrong[k];
    some.push_back({i / in.n, i % in.n, elements.got[i]});
  }
  return some;
}

/// An element of `a` or `b` that a mistake uses, by its index. Past the end it is 0, as a guard
/// makes it.
inline double element(const std::vector<float>& matrix, std::size_t i) {
  return i < matrix.size() ? matrix[i] : 0;
}

/// The same by row and column, for `a` and `b`.
inline double a_at(const Factors& in, std::size_t row, std::size_t i) {
  return row < in.m && i < in.k ? in.a[row * in.k + i] : 0;
}
inline double b_at(const Factors& in, std::size_t i, std::size_t column) {
  return i < in.k && column < in.n ? in.b[i * in.n + column] : 0;
}

/// What a mistake adds up for an element of `c`: the i-th of its products.
using Term = std::function<double(std::size_t row, std::size_t column, std::size_t i)>;

/// A suspicion: which products were added up instead.
struct Suspicion {
  const char *id, *sentence;
  Term term;
};

/// Whether the term explains all of them. Any mistake that adds up nothing explains a 0, so that
/// they may not all be 0.
inline bool explains(const Factors& in, const std::vector<Wrong>& wrong, const Term& term) {
  const bool is_told = std::any_of(wrong.begin(), wrong.end(), [](auto& w) { return w.got != 0; });
  return is_told && std::all_of(wrong.begin(), wrong.end(), [&](const Wrong& w) {
           const Sum sum = sum_of(in.k, [&](std::size_t i) { return term(w.row, w.column, i); });
           return Bounded(sum, in.k).admits(w.got);
         });
}

/// Mistakes that have nothing to do with the size of a tile.
inline std::vector<Suspicion> wrong_indices(const Factors& in) {
  return {
      {"last_product_only", "It is the last product alone: each one replaces the one before.",
       [&](auto row, auto column, auto i) {
         return i + 1 == in.k ? a_at(in, row, i) * b_at(in, i, column) : 0;
       }},
      {"wrong_pitch", "It is the sum with a[row * n + i], as if a row of `a` had n elements.",
       [&](auto row, auto column, auto i) {
         return element(in.a, row * in.n + i) * b_at(in, i, column);
       }},
      {"wrong_pitch", "It is the sum with b[i * k + column], as if a row of `b` had k elements.",
       [&](auto row, auto column, auto i) {
         return a_at(in, row, i) * element(in.b, i * in.k + column);
       }},
      {"factor_transposed", "It is the sum with b[column * k + i]: a row of `b` for its column.",
       [&](auto row, auto column, auto i) {
         return a_at(in, row, i) * element(in.b, column * in.k + i);
       }},
      {"factor_transposed", "It is the sum with a[i * m + row]: a column of `a` for its row.",
       [&](auto row, auto column, auto i) {
         return element(in.a, i * in.m + row) * b_at(in, i, column);
       }},
      {"result_transposed",
       "The sums are right and in the wrong places: c[column * m + row] is where they went.",
       [&](auto row, auto column, auto i) {
         const std::size_t place = row * in.n + column;
         return a_at(in, place % in.m, i) * b_at(in, i, place / in.m);
       }},
  };
}

/// Mistakes with tiles that have this many rows and columns.
inline std::vector<Suspicion> wrong_tiles(const Factors& in, std::size_t edge) {
  const std::size_t last_tile = (in.k - 1) / edge * edge;
  const auto start = [=](std::size_t place) { return place / edge * edge; };
  const auto right = [&in](auto row, auto column, auto i) {
    return a_at(in, row, i) * b_at(in, i, column);
  };
  return {
      {"tile_transposed", "Inside the tiles of `a`, rows and columns have changed places.",
       [=, &in](auto row, auto column, auto i) {
         return a_at(in, start(row) + i % edge, start(i) + row % edge) * b_at(in, i, column);
       }},
      {"tile_transposed", "Inside the tiles of `b`, rows and columns have changed places.",
       [=, &in](auto row, auto column, auto i) {
         return a_at(in, row, i) * b_at(in, start(i) + column % edge, start(column) + i % edge);
       }},
      {"last_tile_only",
       "It is the sum over the last tile alone: the sum starts anew in each tile.",
       [=](auto row, auto column, auto i) { return i < last_tile ? 0 : right(row, column, i); }},
      {"wrong_tile", "Every tile of `a` holds the columns of the first one.",
       [=, &in](auto row, auto column, auto i) {
         return a_at(in, row, i % edge) * b_at(in, i, column);
       }},
      {"wrong_tile", "Every tile of `b` holds the rows of the first one.",
       [=, &in](auto row, auto column, auto i) {
         return a_at(in, row, i) * b_at(in, i % edge, column);
       }},
      {"wrong_tile", "Every tile holds what the first one held.",
       [=, &in](auto row, auto column, auto i) {
         return a_at(in, row, i % edge) * b_at(in, i % edge, column);
       }},
      {"tail_repeated",
       "The last tiles are not full, but all their slots count: those past the end still hold "
       "elements of the tiles before.",
       [=](auto row, auto column, auto i) {
         const bool is_stale = i + edge >= in.k && i < last_tile;
         return (is_stale ? 2 : 1) * right(row, column, i);
       }},
  };
}

inline Pattern find_zeros(const Elements& elements) {
  const bool all = std::all_of(elements.wrong.begin(), elements.wrong.end(),
                               [&](std::size_t i) { return elements.got[i] == 0; });
  return all ? Pattern{"products_missing", "Each wrong element is 0."} : Pattern{};
}

/// Looks for a number of products after which all sums ended.
inline Pattern find_missing_products(const Factors& in, const std::vector<Wrong>& wrong) {
  for (std::size_t count = 1; count < in.k; ++count) {
    if (explains(in, wrong, [&](auto row, auto column, auto i) {
          return i < count ? a_at(in, row, i) * b_at(in, i, column) : 0;
        })) {
      return {"products_missing", "Only the first " + std::to_string(count) + " of " +
                                      std::to_string(in.k) + " products are added up."};
    }
  }
  return {};
}

inline Pattern find_inexact(const Factors& in, const std::vector<Wrong>& wrong) {
  // A format with 8 digits, or more, for the factors.
  constexpr double coarse = 0x1p-7;
  const bool is_near = std::all_of(wrong.begin(), wrong.end(), [&](const Wrong& w) {
    const Bounded right = product_at(in, w.row, w.column);
    const double magnitude = right.tolerance / (rounding * roundings_of_sum(in.k));
    return std::abs(w.got - right.value) <= coarse * magnitude;
  });
  if (!is_near) return {};
  return {"inexact", "It is nearly right, but rounding in float explains only a smaller error."};
}

inline Pattern find_not_a_number(const std::vector<Wrong>& wrong) {
  if (!std::all_of(wrong.begin(), wrong.end(), [](const Wrong& w) { return std::isnan(w.got); })) {
    return {};
  }
  return {"not_a_number",
          "It is not a number (NaN), as 0 * infinity gives, or memory that nobody has written."};
}

inline Pattern find_pattern(const Factors& in, const Elements& elements) {
  // What has no thread is explained best by the general patterns.
  if (!elements.unwritten.empty() || in.k == 0) return {};
  if (Pattern found = find_zeros(elements); !found.id.empty()) return found;
  const std::vector<Wrong> wrong = some_wrong(in, elements);
  if (Pattern found = find_not_a_number(wrong); !found.id.empty()) return found;
  if (Pattern found = find_inexact(in, wrong); !found.id.empty()) return found;
  for (const Suspicion& suspicion : wrong_indices(in)) {
    if (explains(in, wrong, suspicion.term)) return {suspicion.id, suspicion.sentence};
  }
  for (const std::size_t edge : {32, 16, 64, 8}) {
    for (const Suspicion& suspicion : wrong_tiles(in, edge)) {
      if (explains(in, wrong, suspicion.term)) return {suspicion.id, suspicion.sentence};
    }
  }
  return find_missing_products(in, wrong);
}

}  // namespace tilelab::reference
