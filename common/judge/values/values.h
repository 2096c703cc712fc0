#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "judge/values/fields.h"

/// How messages show the elements of arrays, and what functions take and return.
namespace tilelab::judge {

/// The name of T as the compiler writes it.
template <class T>
std::string_view compiler_name() {
  // g++: "... compiler_name() [with T = Grid; std::string_view = ...]", clang++: "... [T = Grid]".
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  for (const std::string_view nameless : {"{anonymous}::", "(anonymous namespace)::"}) {
    if (text.starts_with(nameless)) text.remove_prefix(nameless.size());
  }
  return text;
}

/// The name of an element type.
template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, unsigned>)
    return "unsigned";
  else if constexpr (std::is_same_v<T, short>)
    return "short";
  else if constexpr (std::is_same_v<T, unsigned short>)
    return "unsigned short";
  else if constexpr (std::is_same_v<T, long>)
    return "long";
  else if constexpr (std::is_same_v<T, unsigned long>)
    return "unsigned long";
  else if constexpr (std::is_same_v<T, long long>)
    return "long long";
  else if constexpr (std::is_same_v<T, unsigned long long>)
    return "unsigned long long";
  else
    return std::string(compiler_name<T>());
}

/// The first bytes of a value, as hexadecimal digits.
template <class T>
std::string show_bytes(const T& value) {
  unsigned char bytes[sizeof value < 16 ? sizeof value : 16];
  std::memcpy(bytes, &value, sizeof bytes);
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "(bytes";
  for (const unsigned char byte : bytes) text += {' ', digits[byte / 16], digits[byte % 16]};
  return text + (sizeof value > sizeof bytes ? " ...)" : ")");
}

/// A number with enough digits to tell it from its neighbors, or a vector or a struct as "(x, y,
/// z)". A struct that has an operator<< is shown as that prints it, and one whose fields cannot be
/// listed, such as one with an array in it, as its bytes.
template <class T>
std::string show(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return show(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_arithmetic_v<T> || requires(std::ostream & o) { o << value; }) {
    std::ostringstream text;
    if constexpr (sizeof(T) == 1 && std::is_arithmetic_v<T>) {
      text << static_cast<int>(value);  // a byte is a number here, not a character
    } else {
      if constexpr (std::is_arithmetic_v<T>) text.precision(std::numeric_limits<T>::max_digits10);
      text << value;
    }
    return text.str();
  } else if constexpr (has_fields<T>()) {
    std::string members;
    const auto add = [&](const auto& member) {
      members += (members.empty() ? "" : ", ") + show(member);
    };
    std::apply([&](const auto&... member) { (add(member), ...); }, fields_of(value));
    return "(" + members + ")";
  } else {
    return show_bytes(value);
  }
}

/// A scalar of a call: a number, or a struct as "Grid(64, 32, 0.5)".
template <class T>
std::string show_scalar(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    return show(value);
  } else {
    const std::string text = show(value);
    return type_name<T>() + (text.starts_with("(") ? text : "(" + text + ")");
  }
}

/// Whether two values are equal: by their operator==, or number by number. Bytes that belong to no
/// field do not count.
template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (requires { a == b; }) {
    return a == b;
  } else {
    static_assert(has_fields<T>(), "give the struct an operator==");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto of_a = fields_of(a), of_b = fields_of(b);
      return (equal(std::get<I>(of_a), std::get<I>(of_b)) && ...);
    }
    (std::make_index_sequence<value_count<T>()>());
  }
}

}  // namespace tilelab::judge
