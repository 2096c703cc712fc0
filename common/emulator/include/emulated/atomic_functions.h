#pragma once

/// Atomic functions. Threads change places only at barriers and warp operations, so plain reads and
/// writes are atomic. Each returns the old value.

#include <bit>

namespace tilelab::emulator {

template <class T, class Change>
T replace(T* address, Change change) {
  const T old = *address;
  *address = change(old);
  return old;
}

}  // namespace tilelab::emulator

// CUDA offers each function in three scopes, which differ in who sees the order.
#define TILELAB_ATOMIC(function, T, expression)                                             \
  inline T function(T* address, T value) {                                                  \
    return tilelab::emulator::replace(address, [value](T old) -> T { return expression; }); \
  }                                                                                         \
  inline T function##_block(T* address, T value) { return function(address, value); }       \
  inline T function##_system(T* address, T value) { return function(address, value); }

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

// Counters that run from 0 to `value` and round again.
TILELAB_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
TILELAB_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#undef TILELAB_ATOMIC

#define TILELAB_ATOMIC_CAS(T)                                                                     \
  inline T atomicCAS(T* address, T expected, T value) {                                           \
    return tilelab::emulator::replace(address,                                                    \
                                      [=](T old) -> T { return old == expected ? value : old; }); \
  }                                                                                               \
  inline T atomicCAS_block(T* address, T expected, T value) {                                     \
    return atomicCAS(address, expected, value);                                                   \
  }                                                                                               \
  inline T atomicCAS_system(T* address, T expected, T value) {                                    \
    return atomicCAS(address, expected, value);                                                   \
  }
TILELAB_ATOMIC_CAS(int)
TILELAB_ATOMIC_CAS(unsigned)
TILELAB_ATOMIC_CAS(unsigned long long)
TILELAB_ATOMIC_CAS(unsigned short)
#undef TILELAB_ATOMIC_CAS
