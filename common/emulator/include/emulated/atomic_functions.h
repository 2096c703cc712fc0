#pragma once

/// Atomic functions. Threads switch only at barriers and warp operations, so plain reads and writes
/// are atomic. Each function returns the old value.

#include <bit>

#ifdef TILELAB_CHECKED
// The kernel itself reports one atomic access to the observer. The load and the store that it
// consists of are not instrumented.
extern "C" void tilelab_observe_atomic(const void* address, unsigned bytes);
#define TILELAB_ATOMIC_INLINE __attribute__((always_inline)) inline
#define TILELAB_OBSERVE_ATOMIC(address) tilelab_observe_atomic(address, sizeof *(address));
#define TILELAB_UNCHECKED __attribute__((noinline, no_sanitize("thread")))
#else
#define TILELAB_ATOMIC_INLINE inline
#define TILELAB_OBSERVE_ATOMIC(address)
#define TILELAB_UNCHECKED
#endif

namespace tilelab::emulator {

template <class T>
TILELAB_UNCHECKED T exchange(T* address, T value) {
  const T old = *address;
  *address = value;
  return old;
}

template <class T>
TILELAB_UNCHECKED T read(T* address) {
  return *address;
}

template <class T, class Change>
TILELAB_ATOMIC_INLINE T replace(T* address, Change change) {
  TILELAB_OBSERVE_ATOMIC(address)
  return exchange(address, change(read(address)));
}

}  // namespace tilelab::emulator

// CUDA offers each function in three scopes, which differ in who sees the order.
#define TILELAB_ATOMIC(function, T, expression)                                             \
  TILELAB_ATOMIC_INLINE T function(T* address, T value) {                                   \
    return tilelab::emulator::replace(address, [value](T old) -> T { return expression; }); \
  }                                                                                         \
  TILELAB_ATOMIC_INLINE T function##_block(T* address, T value) {                           \
    return function(address, value);                                                        \
  }                                                                                         \
  TILELAB_ATOMIC_INLINE T function##_system(T* address, T value) {                          \
    return function(address, value);                                                        \
  }

// Integers wrap.
TILELAB_ATOMIC(atomicAdd, int,
               static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
TILELAB_ATOMIC(atomicAdd, unsigned, old + value)
TILELAB_ATOMIC(atomicAdd, unsigned long long, old + value)
TILELAB_ATOMIC(atomicAdd, float, old + value)
TILELAB_ATOMIC(atomicAdd, double, old + value)
TILELAB_ATOMIC(atomicSub, int,
               static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
TILELAB_ATOMIC(atomicSub, unsigned, old - value)

TILELAB_ATOMIC(atomicExch, int, (static_cast<void>(old), value))
TILELAB_ATOMIC(atomicExch, unsigned, (static_cast<void>(old), value))
TILELAB_ATOMIC(atomicExch, unsigned long long, (static_cast<void>(old), value))
TILELAB_ATOMIC(atomicExch, float, (static_cast<void>(old), value))

#define TILELAB_ATOMIC_MIN_MAX(T)                         \
  TILELAB_ATOMIC(atomicMin, T, value < old ? value : old) \
  TILELAB_ATOMIC(atomicMax, T, value > old ? value : old)
TILELAB_ATOMIC_MIN_MAX(int)
TILELAB_ATOMIC_MIN_MAX(unsigned)
TILELAB_ATOMIC_MIN_MAX(long long)
TILELAB_ATOMIC_MIN_MAX(unsigned long long)
#undef TILELAB_ATOMIC_MIN_MAX

#define TILELAB_ATOMIC_BITWISE(T)          \
  TILELAB_ATOMIC(atomicAnd, T, old& value) \
  TILELAB_ATOMIC(atomicOr, T, old | value) \
  TILELAB_ATOMIC(atomicXor, T, old ^ value)
TILELAB_ATOMIC_BITWISE(int)
TILELAB_ATOMIC_BITWISE(unsigned)
TILELAB_ATOMIC_BITWISE(unsigned long long)
#undef TILELAB_ATOMIC_BITWISE

// Counters that run from 0 to `value` and wrap around.
TILELAB_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
TILELAB_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#undef TILELAB_ATOMIC

#define TILELAB_ATOMIC_CAS(T)                                                                     \
  TILELAB_ATOMIC_INLINE T atomicCAS(T* address, T expected, T value) {                            \
    return tilelab::emulator::replace(address,                                                    \
                                      [=](T old) -> T { return old == expected ? value : old; }); \
  }                                                                                               \
  TILELAB_ATOMIC_INLINE T atomicCAS_block(T* address, T expected, T value) {                      \
    return atomicCAS(address, expected, value);                                                   \
  }                                                                                               \
  TILELAB_ATOMIC_INLINE T atomicCAS_system(T* address, T expected, T value) {                     \
    return atomicCAS(address, expected, value);                                                   \
  }
TILELAB_ATOMIC_CAS(int)
TILELAB_ATOMIC_CAS(unsigned)
TILELAB_ATOMIC_CAS(unsigned long long)
TILELAB_ATOMIC_CAS(unsigned short)
#undef TILELAB_ATOMIC_CAS
#undef TILELAB_UNCHECKED
#undef TILELAB_OBSERVE_ATOMIC
#undef TILELAB_ATOMIC_INLINE
