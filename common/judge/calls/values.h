#pragma once

#include <vector_types.h>

#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

/// How messages show the elements of arrays.
namespace tilelab::judge {

/// The name of an element type.
template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, int>)
    return "int";
  else if constexpr (std::is_same_v<T, unsigned>)
    return "unsigned";
  else if constexpr (std::is_same_v<T, unsigned char>)
    return "unsigned char";
  else if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, float2>)
    return "float2";
  else if constexpr (std::is_same_v<T, float3>)
    return "float3";
  else if constexpr (std::is_same_v<T, float4>)
    return "float4";
  else
    return "element";
}

/// A number with enough digits to tell it from its neighbors, or a vector as "(x, y, z)".
template <class T>
std::string show(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    std::ostringstream text;
    text.precision(std::numeric_limits<T>::max_digits10);
    if constexpr (sizeof(T) == 1) {
      text << static_cast<int>(value);  // a byte is a number here, not a character
    } else {
      text << value;
    }
    return text.str();
  } else {
    std::string members = show(value.x) + ", " + show(value.y);
    if constexpr (requires { value.z; }) members += ", " + show(value.z);
    if constexpr (requires { value.w; }) members += ", " + show(value.w);
    return "(" + members + ")";
  }
}

}  // namespace tilelab::judge
