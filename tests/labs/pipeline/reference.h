#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "pipeline.h"

/// The right results of the lab `pipeline`.
namespace tilelab::reference {

/// What a filter is applied to, and its weights.
struct Signal {
  std::vector<float> in;  ///< n + 32 numbers.
  Weights weights{};      ///< The filter.

  /// A signal of zeros.
  /// @param n  the number of results
  explicit Signal(std::size_t n) : in(n + taps - 1) {}

  /// The number of results.
  std::size_t results() const { return in.size() + 1 - taps; }
};

/// A result, named by its index.
inline double filtered_at(const Signal& signal, std::size_t i) {
  double sum = 0;
  for (std::size_t k = 0; k < taps; ++k) sum += double{signal.weights.of[k]} * signal.in[i + k];
  return sum;
}

/// All results.
inline std::vector<float> filtered(const Signal& signal) {
  std::vector<float> out(signal.results());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(filtered_at(signal, i));
  return out;
}

/// How far a sum in float may be from the right one. Each of its 33 products is rounded once, and
/// takes part in at most 32 rounded additions, in whatever order. A rounding error is at most 2^-24
/// of what is rounded. No number of a signal is larger than 1. The expected result, which is
/// rounded too, and the terms of second order are in the factor of 35.
inline double tolerance(const Weights& weights) {
  double sum = 0;
  for (const float weight : weights.of) sum += std::abs(double{weight});
  return (taps + 2) * 0x1p-24 * sum;
}

}  // namespace tilelab::reference
