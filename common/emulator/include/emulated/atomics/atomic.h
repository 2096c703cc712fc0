#pragma once

/// cuda::atomic, cuda::atomic_ref and cuda::atomic_thread_fence().

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cuda_runtime.h"
#include "emulated/async/shapes.h"
#include "emulated/spinning.h"
#include "emulated/standard_names.h"

namespace cuda {

enum memory_order {
  memory_order_relaxed = __NV_ATOMIC_RELAXED,
  memory_order_consume = __NV_ATOMIC_CONSUME,
  memory_order_acquire = __NV_ATOMIC_ACQUIRE,
  memory_order_release = __NV_ATOMIC_RELEASE,
  memory_order_acq_rel = __NV_ATOMIC_ACQ_REL,
  memory_order_seq_cst = __NV_ATOMIC_SEQ_CST
};

#define TILELAB_ATOMIC_MEMBER __attribute__((always_inline)) inline

/// The scope as nvcc's own atomic functions have it.
constexpr int tilelab_scope(thread_scope scope) {
  switch (scope) {
    case thread_scope_thread:
      return __NV_THREAD_SCOPE_THREAD;
    case thread_scope_block:
      return __NV_THREAD_SCOPE_BLOCK;
    case thread_scope_device:
      return __NV_THREAD_SCOPE_DEVICE;
    default:
      return __NV_THREAD_SCOPE_SYSTEM;
  }
}

TILELAB_ATOMIC_MEMBER void atomic_thread_fence(memory_order order,
                                               thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  scope == thread_scope_block ? __threadfence_block() : __threadfence();
}

/// What atomic and atomic_ref have in common. `Self` has a member `address()`.
template <class Self, class T, thread_scope scope>
class tilelab_atomic_members {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "an atomic type has at most 8 bytes, and can be copied byte by byte");

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  static constexpr bool is_lock_free() { return true; }

  TILELAB_ATOMIC_MEMBER void store(T value, memory_order order = memory_order_seq_cst) const {
    __nv_atomic_store_n(at(), value, order, nv_scope);
  }
  TILELAB_ATOMIC_MEMBER T load(memory_order order = memory_order_seq_cst) const {
    return __nv_atomic_load_n(at(), order, nv_scope);
  }
  TILELAB_ATOMIC_MEMBER operator T() const { return load(); }
  TILELAB_ATOMIC_MEMBER T exchange(T value, memory_order order = memory_order_seq_cst) const {
    return __nv_atomic_exchange_n(at(), value, order, nv_scope);
  }

  TILELAB_ATOMIC_MEMBER bool compare_exchange_strong(
      T& expected, T value, memory_order order = memory_order_seq_cst) const {
    return __nv_atomic_compare_exchange_n(at(), &expected, value, false, order, order, nv_scope);
  }
  TILELAB_ATOMIC_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order success,
                                                     memory_order) const {
    return compare_exchange_strong(expected, value, success);
  }
  TILELAB_ATOMIC_MEMBER bool compare_exchange_weak(
      T& expected, T value, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }
  TILELAB_ATOMIC_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order success,
                                                   memory_order) const {
    return compare_exchange_strong(expected, value, success);
  }

#define TILELAB_FETCH(name)                                                                \
  TILELAB_ATOMIC_MEMBER T name(T value, memory_order order = memory_order_seq_cst) const { \
    return __nv_atomic_##name(at(), value, order, nv_scope);                               \
  }
  TILELAB_FETCH(fetch_add)
  TILELAB_FETCH(fetch_sub)
  TILELAB_FETCH(fetch_and)
  TILELAB_FETCH(fetch_or)
  TILELAB_FETCH(fetch_xor)
  TILELAB_FETCH(fetch_min)
  TILELAB_FETCH(fetch_max)
#undef TILELAB_FETCH

  TILELAB_ATOMIC_MEMBER T operator++() const { return static_cast<T>(fetch_add(1) + 1); }
  TILELAB_ATOMIC_MEMBER T operator++(int) const { return fetch_add(1); }
  TILELAB_ATOMIC_MEMBER T operator--() const { return static_cast<T>(fetch_sub(1) - 1); }
  TILELAB_ATOMIC_MEMBER T operator--(int) const { return fetch_sub(1); }
  TILELAB_ATOMIC_MEMBER T operator+=(T value) const {
    return static_cast<T>(fetch_add(value) + value);
  }
  TILELAB_ATOMIC_MEMBER T operator-=(T value) const {
    return static_cast<T>(fetch_sub(value) - value);
  }
  TILELAB_ATOMIC_MEMBER T operator&=(T value) const {
    return static_cast<T>(fetch_and(value) & value);
  }
  TILELAB_ATOMIC_MEMBER T operator|=(T value) const {
    return static_cast<T>(fetch_or(value) | value);
  }
  TILELAB_ATOMIC_MEMBER T operator^=(T value) const {
    return static_cast<T>(fetch_xor(value) ^ value);
  }

  /// Waits until the value is another one.
  TILELAB_ATOMIC_MEMBER void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old && tilelab::emulator::spin()) {
    }
  }
  void notify_one() const {}
  void notify_all() const {}

 private:
  static constexpr int nv_scope = tilelab_scope(scope);
  TILELAB_ATOMIC_MEMBER T* at() const { return static_cast<const Self*>(this)->tilelab_address(); }
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public tilelab_atomic_members<atomic<T, scope>, T, scope> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  TILELAB_ATOMIC_MEMBER T operator=(T value) {
    this->store(value);
    return value;
  }

 private:
  friend tilelab_atomic_members<atomic, T, scope>;
  TILELAB_ATOMIC_MEMBER T* tilelab_address() const { return &value_; }

  mutable T value_;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public tilelab_atomic_members<atomic_ref<T, scope>, T, scope> {
 public:
  static constexpr std::size_t required_alignment = alignof(T) > sizeof(T) ? alignof(T) : sizeof(T);
  explicit atomic_ref(T& value) : value_(&value) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  TILELAB_ATOMIC_MEMBER T operator=(T value) const {
    this->store(value);
    return value;
  }

 private:
  friend tilelab_atomic_members<atomic_ref, T, scope>;
  TILELAB_ATOMIC_MEMBER T* tilelab_address() const { return value_; }

  T* value_;
};

#undef TILELAB_ATOMIC_MEMBER

namespace std {

using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <class T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_bool = atomic<bool>;
inline void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order); }

}  // namespace std
}  // namespace cuda
