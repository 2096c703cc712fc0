#pragma once

/// Copies that the threads of a group share and wait for together.

#include "cooperative_groups.h"
#include "emulated/async/copy_functions.h"
#include "emulated/async/shapes.h"

namespace cooperative_groups {

/// Copies bytes and commits them.
template <class Group, class To, class From, class Shape>
requires(std::is_convertible_v<Shape, std::size_t>)
    __attribute__((always_inline)) inline void memcpy_async(const Group& group, To* to,
                                                            const From* from, const Shape& bytes,
                                                            Site site = Site::current()) {
  cuda::tilelab_check_promise(to, from, bytes, site);
  tilelab::emulator::for_each_chunk(to, from, bytes, group.thread_rank(), group.num_threads(),
                                    [](void* chunk_to, const void* chunk_from, unsigned chunk) {
                                      tilelab::emulator::copy_in_group(chunk_to, chunk_from, chunk,
                                                                       chunk);
                                    });
  tilelab::emulator::commit_copies(site);
}

/// Copies as many elements as both sides have.
template <class Group, class T>
__attribute__((always_inline)) inline void memcpy_async(const Group& group, T* to,
                                                        std::size_t to_count, const T* from,
                                                        std::size_t from_count,
                                                        Site site = Site::current()) {
  memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T), site);
}

/// Waits until all but the last `prior` copies of the group are complete.
template <unsigned prior, class Group>
void wait_prior(const Group& group, Site site = Site::current()) {
  tilelab::emulator::wait_for_copies(prior, site);
  group.sync(site);
}

/// Waits for all copies of the group.
template <class Group>
void wait(const Group& group, Site site = Site::current()) {
  tilelab::emulator::wait_for_copies(0, site);
  group.sync(site);
}

}  // namespace cooperative_groups
