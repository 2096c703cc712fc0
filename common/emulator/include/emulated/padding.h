#pragma once

/// Which bytes of an object hold no value.

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace tilelab::emulator {

/// The bytes between and behind the members of a type. Nobody writes them, and whoever copies an
/// object reads them.
struct Padding {
  std::size_t object_bytes = 0;
  const unsigned char* holds_value = nullptr;  ///< For each byte of an object, 0 in padding. Null
                                               ///< if it is not known.
};

/// Whether the compiler can tell the padding of a type, and objects are not too large to look at.
template <class T>
consteval bool knows_padding() {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_class_v<T> && requires { sizeof(T); }) {
    return std::is_trivially_copyable_v<T> && sizeof(T) <= 4096;
  }
#endif
  return false;
}

/// Calls a function with the padding of a type.
template <class T, class Function>
void with_padding(Function function) {
  if constexpr (knows_padding<T>()) {
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memset(bytes, 0xff, sizeof bytes);
    __builtin_clear_padding(reinterpret_cast<T*>(bytes));
    function(Padding{sizeof bytes, bytes});
  } else {
    function(Padding{});
  }
}

}  // namespace tilelab::emulator
