#pragma once

/// Loads and stores with a cache hint, and the addresses that instructions of one memory space
/// take. The emulator has no cache and ignores the hint, and its memory spaces share their
/// addresses.

#include <cstddef>
#include <type_traits>

#define TILELAB_LOAD(function)          \
  template <class T>                    \
  inline T function(const T* address) { \
    return *address;                    \
  }
#define TILELAB_STORE(function)                                     \
  template <class T>                                                \
  inline void function(T* address, std::type_identity_t<T> value) { \
    *address = value;                                               \
  }

TILELAB_LOAD(__ldg)
TILELAB_LOAD(__ldca)
TILELAB_LOAD(__ldcg)
TILELAB_LOAD(__ldcs)
TILELAB_LOAD(__ldcv)
TILELAB_LOAD(__ldlu)
TILELAB_STORE(__stcg)
TILELAB_STORE(__stcs)
TILELAB_STORE(__stwb)
TILELAB_STORE(__stwt)

#undef TILELAB_STORE
#undef TILELAB_LOAD

inline std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline std::size_t __cvta_generic_to_shared(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline std::size_t __cvta_generic_to_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline std::size_t __cvta_generic_to_local(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline void* __cvta_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline void* __cvta_local_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
