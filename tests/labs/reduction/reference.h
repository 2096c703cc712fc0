#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

/// The right results of the lab `reduction`.
namespace tilelab::reference {

using Row = std::vector<float>;

/// The sum in double precision, whose rounding is too small to matter; see tolerance().
template <class Value>
double sum_of(const Row& in, Value value) {
  // Several sums at a time keep up with memory, for the inputs that are timed.
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= in.size(); i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += value(in[i + k]);
  }
  for (; i < in.size(); ++i) sums[0] += value(in[i]);
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

/// The sum of all elements.
inline double sum(const Row& in) {
  return sum_of(in, [](float x) { return double(x); });
}

/// How far a right sum may be from the exact one.
///
/// If an element takes part in k additions, each of which rounds by a factor between 1 - u and 1 +
/// u with u = 2^-24, then the sum it ends in has it times a factor between (1 - u)^k and (1 + u)^k.
/// So the sum is off by at most about k * u times the sum of the magnitudes (Higham, "Accuracy and
/// Stability of Numerical Algorithms", section 4.2). The contract allows k = 10,000, and no sum of
/// n numbers needs more than n. Second-order terms, and what `sum` itself rounds, are below a
/// thousandth of that.
inline double tolerance(const Row& in) {
  constexpr double most_additions = 10'000;
  const double additions = std::min(double(in.size()), most_additions);
  const double magnitudes = sum_of(in, [](float x) { return std::abs(double(x)); });
  return 1.001 * additions * 0x1p-24 * magnitudes;
}

/// Whether a sum is right. A NaN is, only where a NaN is expected.
inline bool is_right(const Row& in, float got) {
  const double expected = sum(in);
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= tolerance(in);
}

}  // namespace tilelab::reference
