// In a checked build, the compilers' own atomic operations call these functions: std::atomic,
// __atomic_fetch_add, the guards of static variables.

#include <bit>
#include <cstdint>

#include "emulator/observer/hooks/record_access.h"

using namespace tilelab::emulator;

// There is one OS thread, so plain operations are atomic.
#define TILELAB_RMW(bits, name, expression)                                                   \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile void* address,                    \
                                                   std::uint##bits##_t value, int) {          \
    using T = std::uint##bits##_t;                                                            \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    T& place = *static_cast<T*>(const_cast<void*>(address));                                  \
    const T old = place;                                                                      \
    place = static_cast<T>(expression);                                                       \
    return old;                                                                               \
  }

#define TILELAB_ATOMICS(bits)                                                                 \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile void* address, int) {         \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    return *static_cast<const volatile std::uint##bits##_t*>(address);                        \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile void* address, std::uint##bits##_t value, int) {  \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    *static_cast<volatile std::uint##bits##_t*>(address) = value;                             \
  }                                                                                           \
  TILELAB_RMW(bits, exchange, (static_cast<void>(old), value))                                \
  TILELAB_RMW(bits, fetch_add, old + value)                                                   \
  TILELAB_RMW(bits, fetch_sub, old - value)                                                   \
  TILELAB_RMW(bits, fetch_and, old& value)                                                    \
  TILELAB_RMW(bits, fetch_or, old | value)                                                    \
  TILELAB_RMW(bits, fetch_xor, old ^ value)                                                   \
  TILELAB_RMW(bits, fetch_nand, ~(old & value))                                               \
  std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                             \
      volatile void* address, std::uint##bits##_t expected, std::uint##bits##_t desired, int, \
      int) {                                                                                  \
    using T = std::uint##bits##_t;                                                            \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    T& place = *static_cast<T*>(const_cast<void*>(address));                                  \
    const T old = place;                                                                      \
    if (old == expected) place = desired;                                                     \
    return old;                                                                               \
  }                                                                                           \
  TILELAB_COMPARE_EXCHANGE(bits, strong)                                                      \
  TILELAB_COMPARE_EXCHANGE(bits, weak)

#define TILELAB_COMPARE_EXCHANGE(bits, strength)                                                  \
  bool __tsan_atomic##bits##_compare_exchange_##strength(volatile void* address, void* expected,  \
                                                         std::uint##bits##_t desired, int, int) { \
    using T = std::uint##bits##_t;                                                                \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address),     \
                                                            TILELAB_CALLER);                      \
    access_range(reinterpret_cast<std::uintptr_t>(expected), sizeof(T), AccessKind::store,        \
                 TILELAB_CALLER);                                                                 \
    T& place = *static_cast<T*>(const_cast<void*>(address));                                      \
    T& wanted = *static_cast<T*>(expected);                                                       \
    const bool is_equal = place == wanted;                                                        \
    if (is_equal) {                                                                               \
      place = desired;                                                                            \
    } else {                                                                                      \
      wanted = place;                                                                             \
    }                                                                                             \
    return is_equal;                                                                              \
  }

extern "C" {

TILELAB_ATOMICS(8)
TILELAB_ATOMICS(16)
TILELAB_ATOMICS(32)
TILELAB_ATOMICS(64)

void __tsan_atomic_thread_fence(int) { tilelab_observe_fence(); }
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
