#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// The product in float64, and how far off a float32 kernel may be.
namespace tilelab::reference {

/// Two matrices, as the contract stores them: row after row.
struct Factors {
  std::size_t m = 0, n = 0, k = 0;  ///< `a` is m x k, `b` is k x n.
  std::vector<float> a, b;          ///< Their elements.

  /// Matrices of zeros.
  Factors(std::size_t m_, std::size_t n_, std::size_t k_)
      : m(m_), n(n_), k(k_), a(m_ * k_), b(k_ * n_) {}

  /// Square matrices of zeros, for the tests that measure time.
  explicit Factors(std::size_t side) : Factors(side, side, side) {}
};

/// A sum of products, and the sum of their magnitudes.
struct Sum {
  double value = 0, magnitude = 0;

  void add(double term) {
    value += term;
    magnitude += std::abs(term);
  }
};

/// Half the distance from 1 to the next float: one rounding changes a number by at most this share.
constexpr double rounding = 0x1p-24;

/// Each product is rounded once. Adding k of them in any order rounds k partial sums, none of which
/// exceeds the sum of magnitudes. A rounding error can have either sign, so the sum of k errors
/// grows like sqrt(k). An error that is uniform over the rounding interval has a standard deviation
/// of 1/sqrt(3) of the largest, so four times the root is seven standard deviations.
inline double roundings_of_sum(std::size_t k) { return 1 + 4 * std::sqrt(static_cast<double>(k)); }

/// An element of the product, and how far off it may be.
struct Bounded {
  double value = 0, tolerance = 0;

  /// Bounds the error of a sum of k products.
  Bounded(const Sum& sum, std::size_t k)
      : value(sum.value), tolerance(rounding * roundings_of_sum(k) * sum.magnitude) {}

  /// Whether a number is within the tolerance, or the same infinity. A NaN is only where one has
  /// to be.
  bool admits(float got) const {
    if (std::isnan(value)) return std::isnan(got);
    if (std::isinf(value)) return got == value;
    return std::abs(got - value) <= tolerance;
  }
};

/// Sums term(i) for 0 <= i < k.
template <class Term>
Sum sum_of(std::size_t k, const Term& term) {
  Sum sum;
  for (std::size_t i = 0; i < k; ++i) sum.add(term(i));
  return sum;
}

/// The element of the product in this row and column.
inline Bounded product_at(const Factors& in, std::size_t row, std::size_t column) {
  const auto term = [&](std::size_t i) {
    return static_cast<double>(in.a[row * in.k + i]) * in.b[i * in.n + column];
  };
  return {sum_of(in.k, term), in.k};
}

/// The whole product.
inline std::vector<Bounded> product(const Factors& in) {
  std::vector<Bounded> all;
  all.reserve(in.m * in.n);
  for (std::size_t row = 0; row < in.m; ++row) {
    for (std::size_t column = 0; column < in.n; ++column) {
      all.push_back(product_at(in, row, column));
    }
  }
  return all;
}

}  // namespace tilelab::reference
