#pragma once

/// Atomic functions. Threads switch only where they wait for others, so plain reads and writes are
/// atomic. Each function returns the old value.

#include <bit>
#include <type_traits>

#include "emulated/barriers.h"
#include "vector_types.h"

#ifdef TILELAB_CHECKED
// One function reports the access to the observer, on behalf of the kernel that called it, and
// makes it. Nothing in it is instrumented, so that no other thread can run before it is done.
extern "C" void tilelab_observe_atomic(const void* address, unsigned bytes, const void* place);
extern "C" void tilelab_observe_update(const void* address, unsigned bytes, const void* place);
extern "C" void tilelab_observe_increment(const void* address, unsigned bytes, const void* place);
extern "C" void tilelab_observe_exchange(const void* address, unsigned bytes, const void* place);
extern "C" void tilelab_observe_atomic_load(const void* address, unsigned bytes, const void* place);
extern "C" void tilelab_observe_atomic_store(const void* address, unsigned bytes,
                                             const void* place);
extern "C" void tilelab_observe_order(bool releases, bool acquires, bool in_block);
extern "C" void tilelab_observe_compare_and_swap(const void* address, unsigned bytes,
                                                 const void* place);
extern "C" void tilelab_observe_failing_swap();
extern "C" void tilelab_observe_block_scope(const void* place);
#define TILELAB_ATOMIC_INLINE __attribute__((always_inline)) inline
#define TILELAB_OBSERVE(what, address, scope)                                                \
  if (scope == AtomicScope::block) tilelab_observe_block_scope(__builtin_return_address(0)); \
  tilelab_observe_##what(address, sizeof *(address), __builtin_return_address(0));
#ifdef __clang__
#define TILELAB_UNCHECKED __attribute__((noinline, flatten, no_sanitize("thread", "coverage")))
#else
#define TILELAB_UNCHECKED \
  __attribute__((noinline, flatten, no_sanitize("thread"), no_sanitize_coverage))
#endif
#else
#define TILELAB_ATOMIC_INLINE inline
#define TILELAB_OBSERVE(what, address, scope)
#define TILELAB_UNCHECKED inline
#endif

namespace tilelab::emulator {

/// Which threads may share an atomic operation.
enum class AtomicScope { device, block };

template <AtomicScope scope = AtomicScope::device, class T, class Change>
TILELAB_UNCHECKED T replace(T* address, Change change) {
  TILELAB_OBSERVE(atomic, address, scope)
  const T old = *address;
  *address = change(old);
  return old;
}

/// An exchange whose old value nobody wants.
template <AtomicScope scope = AtomicScope::device, class T>
TILELAB_UNCHECKED void overwrite(T* address, T value) {
  TILELAB_OBSERVE(exchange, address, scope)
  *address = value;
}

template <AtomicScope scope, class T>
TILELAB_UNCHECKED T load(T* address) {
  TILELAB_OBSERVE(atomic_load, address, scope)
  return *address;
}

template <AtomicScope scope, class T>
TILELAB_UNCHECKED void store(T* address, T value) {
  TILELAB_OBSERVE(atomic_store, address, scope)
  *address = value;
}

template <AtomicScope scope = AtomicScope::device, class T>
TILELAB_UNCHECKED T compare_and_swap(T* address, T expected, T value) {
#ifdef TILELAB_CHECKED
  if (*address != expected) tilelab_observe_failing_swap();
#endif
  TILELAB_OBSERVE(compare_and_swap, address, scope)
  const T old = *address;
  if (old == expected) *address = value;
  return old;
}

/// What the rewriter passes for a value that is added, if nobody wants the old one.
template <class T>
struct Addend {
  T value;
};
template <class T>
Addend(T) -> Addend<T>;

template <AtomicScope scope = AtomicScope::device, class T>
TILELAB_UNCHECKED void increment(T* address) {
  TILELAB_OBSERVE(increment, address, scope)
  *address = static_cast<T>(static_cast<unsigned>(*address) + 1);
}

/// An addition whose old value nobody wants.
template <AtomicScope scope = AtomicScope::device, class T>
TILELAB_UNCHECKED void add(T* address, T value) {
  TILELAB_OBSERVE(update, address, scope)
  if constexpr (std::is_same_v<T, int>) {
    *address = static_cast<int>(static_cast<unsigned>(*address) + static_cast<unsigned>(value));
  } else {
    *address = *address + value;
  }
}

// What the rewriter makes of a statement `atomicExch(address, value);`.
template <class T>
TILELAB_ATOMIC_INLINE void atomic_store(T* address, std::type_identity_t<T> value) {
  overwrite(address, value);
}
template <class T>
TILELAB_ATOMIC_INLINE void atomic_store_block(T* address, std::type_identity_t<T> value) {
  overwrite<AtomicScope::block>(address, value);
}

}  // namespace tilelab::emulator

// CUDA offers each function in three scopes, which differ in who sees the order.
#define TILELAB_ATOMIC_IN(suffix, scope, function, T, expression)             \
  TILELAB_ATOMIC_INLINE T function##suffix(T* address, T value) {             \
    return tilelab::emulator::replace<tilelab::emulator::AtomicScope::scope>( \
        address, [value](T old) -> T { return expression; });                 \
  }
#define TILELAB_ATOMIC(function, T, expression)             \
  TILELAB_ATOMIC_IN(, device, function, T, expression)      \
  TILELAB_ATOMIC_IN(_block, block, function, T, expression) \
  TILELAB_ATOMIC_IN(_system, device, function, T, expression)

// Integers wrap.
TILELAB_ATOMIC(atomicAdd, int,
               static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
TILELAB_ATOMIC(atomicAdd, unsigned, old + value)
TILELAB_ATOMIC(atomicAdd, unsigned long long, old + value)
TILELAB_ATOMIC(atomicAdd, float, old + value)
TILELAB_ATOMIC(atomicAdd, double, old + value)

// Each element is atomic, not the vector: no order holds for all of them.
#define TILELAB_ATOMIC_ADD_OF_VECTORS(suffix)                                     \
  TILELAB_ATOMIC_INLINE float2 atomicAdd##suffix(float2* address, float2 value) { \
    const float x = atomicAdd##suffix(&address->x, value.x);                      \
    return {x, atomicAdd##suffix(&address->y, value.y)};                          \
  }                                                                               \
  TILELAB_ATOMIC_INLINE float4 atomicAdd##suffix(float4* address, float4 value) { \
    const float x = atomicAdd##suffix(&address->x, value.x);                      \
    const float y = atomicAdd##suffix(&address->y, value.y);                      \
    const float z = atomicAdd##suffix(&address->z, value.z);                      \
    return {x, y, z, atomicAdd##suffix(&address->w, value.w)};                    \
  }
TILELAB_ATOMIC_ADD_OF_VECTORS()
TILELAB_ATOMIC_ADD_OF_VECTORS(_block)
TILELAB_ATOMIC_ADD_OF_VECTORS(_system)
#undef TILELAB_ATOMIC_ADD_OF_VECTORS

#define TILELAB_ATOMIC_ADD_IN(suffix, scope)                                                       \
  template <class T, class U>                                                                      \
  TILELAB_ATOMIC_INLINE void atomicAdd##suffix(T* address, tilelab::emulator::Addend<U> addend) {  \
    if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned>) {                         \
      if (__builtin_constant_p(addend.value) && addend.value == U(1)) {                            \
        return tilelab::emulator::increment<tilelab::emulator::AtomicScope::scope>(address);       \
      }                                                                                            \
    }                                                                                              \
    using Old = decltype(atomicAdd##suffix(address, static_cast<T>(addend.value)));                \
    if constexpr (std::is_arithmetic_v<Old>) {                                                     \
      tilelab::emulator::add<tilelab::emulator::AtomicScope::scope>(address,                       \
                                                                    static_cast<T>(addend.value)); \
    } else {                                                                                       \
      atomicAdd##suffix(address, static_cast<T>(addend.value));                                    \
    }                                                                                              \
  }
TILELAB_ATOMIC_ADD_IN(, device)
TILELAB_ATOMIC_ADD_IN(_block, block)
#undef TILELAB_ATOMIC_ADD_IN

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
#undef TILELAB_ATOMIC_IN

#define TILELAB_ATOMIC_CAS_IN(suffix, scope, T)                                        \
  TILELAB_ATOMIC_INLINE T atomicCAS##suffix(T* address, T expected, T value) {         \
    return tilelab::emulator::compare_and_swap<tilelab::emulator::AtomicScope::scope>( \
        address, expected, value);                                                     \
  }
#define TILELAB_ATOMIC_CAS(T)             \
  TILELAB_ATOMIC_CAS_IN(, device, T)      \
  TILELAB_ATOMIC_CAS_IN(_block, block, T) \
  TILELAB_ATOMIC_CAS_IN(_system, device, T)
TILELAB_ATOMIC_CAS(int)
TILELAB_ATOMIC_CAS(unsigned)
TILELAB_ATOMIC_CAS(unsigned long long)
TILELAB_ATOMIC_CAS(unsigned short)
#undef TILELAB_ATOMIC_CAS
#undef TILELAB_ATOMIC_CAS_IN

// nvcc's own atomic functions. An operation that releases or acquires is one with a fence.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_DEVICE 4
#define __NV_THREAD_SCOPE_SYSTEM 5

namespace tilelab::emulator {

/// Calls `operation` with its scope, and tells the observer its order.
template <class Operation>
TILELAB_ATOMIC_INLINE auto ordered(int order, int scope, Operation operation) {
  const bool in_block = scope <= __NV_THREAD_SCOPE_BLOCK;
#ifdef TILELAB_CHECKED
  const bool releases = order >= __NV_ATOMIC_RELEASE;
  const bool acquires = order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE;
  if (releases || acquires) tilelab_observe_order(releases, acquires, in_block);
#else
  static_cast<void>(order);
#endif
  return in_block ? operation(std::integral_constant<AtomicScope, AtomicScope::block>())
                  : operation(std::integral_constant<AtomicScope, AtomicScope::device>());
}

}  // namespace tilelab::emulator

#define TILELAB_NV_ATOMIC(function, expression)                                     \
  template <class T>                                                                \
  TILELAB_ATOMIC_INLINE T function(T* address, std::type_identity_t<T> value,       \
                                   int order = __NV_ATOMIC_SEQ_CST,                 \
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {          \
    return tilelab::emulator::ordered(                                              \
        order, scope, [=](auto in) __attribute__((always_inline)) {                 \
          return tilelab::emulator::replace<decltype(in)::value>(                   \
              address, [value](T old) -> T { return static_cast<T>(expression); }); \
        });                                                                         \
  }
TILELAB_NV_ATOMIC(__nv_atomic_exchange_n, (static_cast<void>(old), value))
TILELAB_NV_ATOMIC(__nv_atomic_fetch_add, old + value)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_sub, old - value)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_and, old& value)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_or, old | value)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_xor, old ^ value)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_min, value < old ? value : old)
TILELAB_NV_ATOMIC(__nv_atomic_fetch_max, value > old ? value : old)
#undef TILELAB_NV_ATOMIC
template <class T>
TILELAB_ATOMIC_INLINE std::remove_const_t<T> __nv_atomic_load_n(
    T* address, int order = __NV_ATOMIC_SEQ_CST, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return tilelab::emulator::ordered(
      order, scope, [=](auto in) __attribute__((always_inline)) {
        return tilelab::emulator::load<decltype(in)::value>(
            const_cast<std::remove_const_t<T>*>(address));
      });
}
template <class T>
TILELAB_ATOMIC_INLINE void __nv_atomic_load(const T* address, T* result,
                                            int order = __NV_ATOMIC_SEQ_CST,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order, scope);
}
template <class T>
TILELAB_ATOMIC_INLINE void __nv_atomic_store_n(T* address, std::type_identity_t<T> value,
                                               int order = __NV_ATOMIC_SEQ_CST,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
  tilelab::emulator::ordered(
      order, scope, [=](auto in) __attribute__((always_inline)) {
        tilelab::emulator::store<decltype(in)::value>(address, value);
        return value;
      });
}
template <class T>
TILELAB_ATOMIC_INLINE void __nv_atomic_store(T* address, T* value, int order = __NV_ATOMIC_SEQ_CST,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}
/// What `expected` points to becomes the old value where the two differ.
template <class T>
TILELAB_ATOMIC_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                          std::type_identity_t<T> value,
                                                          bool = false,
                                                          int order = __NV_ATOMIC_SEQ_CST,
                                                          int = __NV_ATOMIC_SEQ_CST,
                                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T wanted = *expected;
  const T old = tilelab::emulator::ordered(
      order, scope, [=](auto in) __attribute__((always_inline)) {
        return tilelab::emulator::compare_and_swap<decltype(in)::value>(address, wanted, value);
      });
  if (old != wanted) *expected = old;
  return old == wanted;
}
#define __nv_atomic_thread_fence(order, scope) \
  ((scope) <= __NV_THREAD_SCOPE_BLOCK ? __threadfence_block() : __threadfence())
#undef TILELAB_UNCHECKED
#undef TILELAB_OBSERVE
#undef TILELAB_ATOMIC_INLINE
