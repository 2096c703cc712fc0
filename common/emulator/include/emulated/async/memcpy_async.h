#pragma once

/// cuda::memcpy_async: copies that a barrier or a pipeline waits for.

#include <type_traits>

#include "emulated/async/barrier.h"
#include "emulated/async/copy_functions.h"
#include "emulated/async/pipeline.h"
#include "emulated/async/shapes.h"

namespace cuda {

enum class async_contract_fulfillment { none, async };

template <thread_scope scope>
auto tilelab_copy_with(barrier<scope>& waits, Site site) {
  return [&waits, site](void* to, const void* from, unsigned bytes) {
    tilelab::emulator::copy_for_barrier(&waits, to, from, bytes, false, site);
  };
}
template <thread_scope scope>
auto tilelab_copy_with(pipeline<scope>& waits, Site site) {
  return [&waits, site](void* to, const void* from, unsigned bytes) {
    waits.tilelab_copy(to, from, bytes, site);
  };
}

/// The calling thread's own copy.
template <class To, class From, class Shape, template <thread_scope> class Waits,
          thread_scope scope>
requires(std::is_convertible_v<Shape, std::size_t>)
    __attribute__((always_inline)) inline async_contract_fulfillment
    memcpy_async(To* to, const From* from, Shape bytes, Waits<scope>& waits,
                 Site site = Site::current()) {
  tilelab_check_promise(to, from, bytes, site);
  tilelab::emulator::for_each_chunk(to, from, bytes, 0, 1, tilelab_copy_with(waits, site));
  return async_contract_fulfillment::async;
}

/// A copy that the threads of the group share.
template <class Group, class To, class From, class Shape, template <thread_scope> class Waits,
          thread_scope scope>
requires(std::is_convertible_v<Shape, std::size_t>)
    __attribute__((always_inline)) inline async_contract_fulfillment
    memcpy_async(const Group& group, To* to, const From* from, Shape bytes, Waits<scope>& waits,
                 Site site = Site::current()) {
  tilelab_check_promise(to, from, bytes, site);
  tilelab::emulator::for_each_chunk(to, from, bytes, group.thread_rank(), group.size(),
                                    tilelab_copy_with(waits, site));
  return async_contract_fulfillment::async;
}

namespace device {

/// One thread's copy, whose bytes the barrier expects: barrier_arrive_tx() announces them.
template <class T, std::size_t alignment>
__attribute__((always_inline)) inline void memcpy_async_tx(T* to, const T* from,
                                                           aligned_size_t<alignment> bytes,
                                                           barrier<thread_scope_block>& waits,
                                                           Site site = Site::current()) {
  static_assert(alignment >= 16, "a bulk copy needs an alignment of 16 bytes");
  tilelab::emulator::bulk_copy_for_barrier(to, from, bytes, &waits, site);
}

}  // namespace device

}  // namespace cuda
