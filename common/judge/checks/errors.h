#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "judge/events.h"

namespace tilelab::judge {

/// How far results are from what was expected: what programs of the field print.
class Errors {
 public:
  /// Adds a number, or each member of a vector.
  template <class T>
  void add(const T& got, const T& expected) {
    if constexpr (std::is_arithmetic_v<T>) {
      add_difference(static_cast<double>(got) - static_cast<double>(expected));
    } else {
      add(got.x, expected.x);
      add(got.y, expected.y);
      if constexpr (requires { got.z; }) add(got.z, expected.z);
      if constexpr (requires { got.w; }) add(got.w, expected.w);
    }
  }

  /// The root of the mean square; 0 without numbers.
  double rms() const { return count_ == 0 ? 0 : std::sqrt(squares_ / double(count_)); }
  /// The largest absolute value.
  double largest() const { return largest_; }

 private:
  void add_difference(double difference) {
    squares_ += difference * difference;
    // Also if it is NaN.
    if (!(std::abs(difference) <= largest_)) largest_ = std::abs(difference);
    ++count_;
  }

  double squares_ = 0, largest_ = 0;
  std::size_t count_ = 0;
};

/// Whether elements of this type are rounded.
template <class T>
constexpr bool is_rounded() {
  if constexpr (requires(T v) { v.x; }) {
    return std::is_floating_point_v<decltype(T::x)>;
  } else {
    return std::is_floating_point_v<T>;
  }
}

/// Writes the event "errors" for an output of floats. Others have none.
template <class T>
void report_errors(const std::string& output, std::span<const T> got, std::span<const T> expected) {
  if constexpr (is_rounded<T>()) {
    Errors errors;
    for (std::size_t i = 0; i < expected.size(); ++i) errors.add(got[i], expected[i]);
    write_event(event("errors")
                    .add("output", output)
                    .add("elements", expected.size())
                    .add("rms", errors.rms())
                    .add("largest", errors.largest()));
  }
}

}  // namespace tilelab::judge
