// In a checked build, the compilers' own atomic operations call these functions: std::atomic,
// __atomic_fetch_add, the guards of static variables.

#include <bit>
#include <cstdint>

#include "emulator/observer/hooks/record_access.h"

using namespace tilelab::emulator;

// Atomic also for other threads of the host.
#define TILELAB_RMW(bits, name, operation)                                                    \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile void* address,                    \
                                                   std::uint##bits##_t value, int) {          \
    using T = std::uint##bits##_t;                                                            \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    return operation(static_cast<volatile T*>(address), value, __ATOMIC_SEQ_CST);             \
  }

#define TILELAB_ATOMICS(bits)                                                                 \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile void* address, int) {         \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    return __atomic_load_n(static_cast<const volatile std::uint##bits##_t*>(address),         \
                           __ATOMIC_SEQ_CST);                                                 \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile void* address, std::uint##bits##_t value, int) {  \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    __atomic_store_n(static_cast<volatile std::uint##bits##_t*>(address), value,              \
                     __ATOMIC_SEQ_CST);                                                       \
  }                                                                                           \
  TILELAB_RMW(bits, exchange, __atomic_exchange_n)                                            \
  TILELAB_RMW(bits, fetch_add, __atomic_fetch_add)                                            \
  TILELAB_RMW(bits, fetch_sub, __atomic_fetch_sub)                                            \
  TILELAB_RMW(bits, fetch_and, __atomic_fetch_and)                                            \
  TILELAB_RMW(bits, fetch_or, __atomic_fetch_or)                                              \
  TILELAB_RMW(bits, fetch_xor, __atomic_fetch_xor)                                            \
  TILELAB_RMW(bits, fetch_nand, __atomic_fetch_nand)                                          \
  std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                             \
      volatile void* address, std::uint##bits##_t expected, std::uint##bits##_t desired, int, \
      int) {                                                                                  \
    using T = std::uint##bits##_t;                                                            \
    access<AccessKind::atomic, std::countr_zero(bits / 8u)>(const_cast<const void*>(address), \
                                                            TILELAB_CALLER);                  \
    T old = expected;                                                                         \
    __atomic_compare_exchange_n(static_cast<volatile T*>(address), &old, desired, false,      \
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
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
    return __atomic_compare_exchange_n(static_cast<volatile T*>(address),                         \
                                       static_cast<T*>(expected), desired, false,                 \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
  }

extern "C" {

TILELAB_ATOMICS(8)
TILELAB_ATOMICS(16)
TILELAB_ATOMICS(32)
TILELAB_ATOMICS(64)

void __tsan_atomic_thread_fence(int) { tilelab_observe_fence(); }
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
