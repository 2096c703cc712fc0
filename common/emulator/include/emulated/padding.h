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

/// Larger objects are not looked at.
constexpr std::size_t largest_padded_object = 4096;

/// Whether the compiler can tell the padding of a type, and objects are not too large to look at.
template <class T>
consteval bool knows_padding() {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_class_v<T> && requires { sizeof(T); }) {
    return std::is_trivially_copyable_v<T> && sizeof(T) <= largest_padded_object;
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

#if defined(TILELAB_CHECKED) && !defined(__clang__)
/// Objects in shared memory have padding where the function leaves an object zeros.
/// @param bytes  of all objects; 0 for all of the dynamic array
extern "C" void tilelab_observe_shared_objects(const void* begin, std::size_t bytes,
                                               std::size_t object_bytes,
                                               void (*clear_padding)(void*));

template <class T>
[[gnu::no_sanitize_thread, gnu::no_sanitize_coverage]] void clear_padding(void* object) {
  __builtin_clear_padding(static_cast<T*>(object));
}

/// What the rewriter puts after the declaration of a shared variable.
template <class T>
[[gnu::always_inline]] inline void note_shared_objects(const volatile T& objects) {
  using Object = std::remove_all_extents_t<T>;
  if constexpr (knows_padding<Object>()) {
    std::size_t bytes = 0;
    if constexpr (!std::is_unbounded_array_v<T>) bytes = sizeof(T);
    tilelab_observe_shared_objects(const_cast<const T*>(&objects), bytes, sizeof(Object),
                                   clear_padding<Object>);
  }
}
#else
template <class T>
[[gnu::always_inline]] inline void note_shared_objects(const volatile T&) {}
#endif

}  // namespace tilelab::emulator
