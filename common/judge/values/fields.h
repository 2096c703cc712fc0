#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The fields of a plain struct, without a word from whoever wrote it. C++20 cannot list them, but
/// it tells how many values initialize the struct, and so how many names a structured binding has.
namespace tilelab::judge {

/// Stands for a value of any type, in expressions that are not evaluated.
struct AnyValue {
  /// Converts to all but arrays.
  template <class T>
  operator T() const;
};

/// Stands for a value of a type that T is derived from.
template <class T>
struct AnyBase {
  /// Converts to nothing else.
  template <class U>
  requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>) operator U() const;
};

/// Whether a T is initialized by values for all of these positions.
template <class T, std::size_t... I>
constexpr bool takes_values(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyValue{})...}; };
}

/// The most fields that are told apart.
inline constexpr std::size_t most_fields = 12;

/// How many values initialize a T; 0 if there are more than most_fields.
template <class T, std::size_t count = most_fields + 1>
constexpr std::size_t value_count() {
  if constexpr (count == 0) {
    return 0;
  } else if constexpr (takes_values<T>(std::make_index_sequence<count>())) {
    return count > most_fields ? 0 : count;
  } else {
    return value_count<T, count - 1>();
  }
}

/// Whether a value in braces can follow these values, and those after it still fit. An array would
/// take several values.
template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_one_value(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires {
    T{(static_cast<void>(Before), AnyValue{})...,
      {AnyValue{}},
      (static_cast<void>(After), AnyValue{})...};
  };
}

/// Whether each of the values that initialize a T is one field.
template <class T, std::size_t... I>
constexpr bool has_no_arrays(std::index_sequence<I...>) {
  constexpr std::size_t count = sizeof...(I);
  return (takes_one_value<T>(std::make_index_sequence<I>(),
                             std::make_index_sequence<count - 1 - I>()) &&
          ...);
}

/// Copies of the fields of a struct, as a tuple. Bit-fields are fields too.
template <class T>
constexpr auto fields_of(const T& v) {
  constexpr std::size_t count = value_count<T>();
  if constexpr (count == 1) {
    const auto& [a] = v;
    return std::make_tuple(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = v;
    return std::make_tuple(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = v;
    return std::make_tuple(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = v;
    return std::make_tuple(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = v;
    return std::make_tuple(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = v;
    return std::make_tuple(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = v;
    return std::make_tuple(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    const auto& [a, b, c, d, e, f, g, h] = v;
    return std::make_tuple(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    const auto& [a, b, c, d, e, f, g, h, i] = v;
    return std::make_tuple(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = v;
    return std::make_tuple(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = v;
    return std::make_tuple(a, b, c, d, e, f, g, h, i, j, k);
  } else {
    static_assert(count == most_fields);
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = v;
    return std::make_tuple(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

/// Whether a tuple holds no pointers. An array of one element becomes one.
template <class Tuple, std::size_t... I>
constexpr bool has_no_pointers(std::index_sequence<I...>) {
  return (!std::is_pointer_v<std::tuple_element_t<I, Tuple>> && ...);
}

/// Whether fields_of() can list the fields of a T, and each has a value to show.
template <class T>
constexpr bool has_fields() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T> || requires { T{AnyBase<T>{}}; }) {
    return false;
  } else if constexpr (value_count<T>() == 0) {
    return false;
  } else if constexpr (constexpr std::make_index_sequence<value_count<T>()> all{};
                       !has_no_arrays<T>(all)) {
    return false;
  } else {
    return has_no_pointers<decltype(fields_of(std::declval<const T&>()))>(all);
  }
}

/// Calls action(number) for each number in a value: a number itself, the components of a vector,
/// the fields of a struct, and of structs in it. Where the fields cannot be listed, it is not
/// called.
template <class T, class Action>
constexpr void for_each_number(const T& value, Action&& action) {
  if constexpr (std::is_arithmetic_v<T>) {
    action(value);
  } else if constexpr (has_fields<T>()) {
    std::apply([&](const auto&... field) { (for_each_number(field, action), ...); },
               fields_of(value));
  }
}

/// The bytes of all numbers that for_each_number() lists in a T.
template <class T>
constexpr std::size_t bytes_of_numbers() {
  if constexpr (has_fields<T>()) {
    using Fields = decltype(fields_of(std::declval<const T&>()));
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (std::size_t{0} + ... + bytes_of_numbers<std::tuple_element_t<I, Fields>>());
    }
    (std::make_index_sequence<std::tuple_size_v<Fields>>());
  } else {
    return std::is_arithmetic_v<T> ? sizeof(T) : 0;
  }
}

/// Whether a value is made of numbers that can be listed.
template <class T>
constexpr bool consists_of_numbers() {
  if constexpr (has_fields<T>()) {
    using Fields = decltype(fields_of(std::declval<const T&>()));
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (consists_of_numbers<std::tuple_element_t<I, Fields>>() && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Fields>>());
  } else {
    return std::is_arithmetic_v<T>;
  }
}

}  // namespace tilelab::judge
