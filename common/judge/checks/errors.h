#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "judge/values/fields.h"

namespace tilelab::judge {

/// How far results are from what was expected: what programs of the field print.
class Errors {
 public:
  /// Adds a number, or each number in a vector or a struct.
  template <class T>
  void add(const T& got, const T& expected) {
    if constexpr (std::is_arithmetic_v<T>) {
      add_difference(static_cast<double>(got) - static_cast<double>(expected));
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto of_got = fields_of(got), of_expected = fields_of(expected);
        (add(std::get<I>(of_got), std::get<I>(of_expected)), ...);
      }
      (std::make_index_sequence<value_count<T>()>());
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

/// Whether elements of this type are rounded: all their numbers can be listed, and one is a float.
template <class T>
constexpr bool is_rounded() {
  bool has_float = false;
  if constexpr (consists_of_numbers<T>()) {
    for_each_number(T{}, [&](auto number) {
      has_float = has_float || std::is_floating_point_v<decltype(number)>;
    });
  }
  return has_float;
}

/// Writes a schema::Errors.
void write_errors(const std::string& output, std::size_t elements, const Errors& errors);

/// The same for an output of floats. Others have none.
template <class T>
void report_errors(const std::string& output, std::span<const T> got, std::span<const T> expected) {
  if constexpr (is_rounded<T>()) {
    Errors errors;
    for (std::size_t i = 0; i < expected.size(); ++i) errors.add(got[i], expected[i]);
    write_errors(output, expected.size(), errors);
  }
}

}  // namespace tilelab::judge
