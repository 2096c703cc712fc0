#pragma once

/// The built-in vector types of a checked build: copies are single loads and stores of the width
/// that a GPU uses, so that the observer sees what the hardware would do.

namespace tilelab::emulator {

// Words are the compiler's vectors, because clang splits loads of integers into members.
template <int bytes>
struct Word {
  typedef unsigned char Type __attribute__((vector_size(bytes), may_alias));
};

/// The widest words in which a GPU moves the type.
template <class T>
struct Moved {
  static constexpr int bytes = sizeof(T) < 16 ? sizeof(T) : 16;
  using Type = typename Word<bytes>::Type;
};

template <class T>
__attribute__((always_inline)) inline void copy_words(T* to, const T* from) {
  using Type = typename Moved<T>::Type;
  for (unsigned long i = 0; i < sizeof(T) / sizeof(Type); ++i) {
    reinterpret_cast<Type*>(to)[i] = reinterpret_cast<const Type*>(from)[i];
  }
}

}  // namespace tilelab::emulator

#define TILELAB_CHECKED_COPY(Type, members, words)                              \
  Type() = default;                                                             \
  __attribute__((always_inline)) constexpr Type(const Type& other) {            \
    if (__builtin_is_constant_evaluated()) {                                    \
      members;                                                                  \
    } else {                                                                    \
      words;                                                                    \
    }                                                                           \
  }                                                                             \
  __attribute__((always_inline)) constexpr Type& operator=(const Type& other) { \
    if (__builtin_is_constant_evaluated()) {                                    \
      members;                                                                  \
    } else {                                                                    \
      words;                                                                    \
    }                                                                           \
    return *this;                                                               \
  }

// No word holds three members, so they move one by one.
#define TILELAB_VECTOR_TYPES(Name, Scalar, align_of_2, align_of_4)                      \
  struct Name##1 {                                                                      \
    Scalar x;                                                                           \
  };                                                                                    \
  struct alignas(align_of_2) Name##2 {                                                  \
    Scalar x, y;                                                                        \
    TILELAB_CHECKED_COPY(Name##2, (x = other.x, y = other.y),                           \
                         tilelab::emulator::copy_words(this, &other))                   \
    constexpr Name##2(Scalar x_, Scalar y_ = 0) : x(x_), y(y_) {}                       \
  };                                                                                    \
  struct Name##3 {                                                                      \
    Scalar x, y, z;                                                                     \
    TILELAB_CHECKED_COPY(Name##3, (x = other.x, y = other.y, z = other.z),              \
                         (x = other.x, y = other.y, z = other.z))                       \
    constexpr Name##3(Scalar x_, Scalar y_ = 0, Scalar z_ = 0) : x(x_), y(y_), z(z_) {} \
  };                                                                                    \
  TILELAB_VECTOR_OF_4(Name##4, Scalar, align_of_4)

#define TILELAB_VECTOR_OF_4(Name, Scalar, align)                                     \
  struct alignas(align) Name {                                                       \
    Scalar x, y, z, w;                                                               \
    TILELAB_CHECKED_COPY(Name, (x = other.x, y = other.y, z = other.z, w = other.w), \
                         tilelab::emulator::copy_words(this, &other))                \
    constexpr Name(Scalar x_, Scalar y_ = 0, Scalar z_ = 0, Scalar w_ = 0)           \
        : x(x_), y(y_), z(z_), w(w_) {}                                              \
  };
