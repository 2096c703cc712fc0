#pragma once

/// Copies that run alongside the thread, in chunks of up to 16 bytes.

#include <cstddef>
#include <cstdint>

#include "emulated/groups/lanes.h"
#include "emulated/site.h"

namespace tilelab::emulator {

/// Part of the copies that the thread commits next.
/// @param source_bytes  how many of the bytes are read; the others become zero
void copy_in_group(void* to, const void* from, unsigned bytes, unsigned source_bytes);
void commit_copies(Site site);
/// Waits for all committed copies but the last `prior` groups.
void wait_for_copies(unsigned prior, Site site);
void wait_for_oldest_copies(Site site);
/// A copy for which the current phase of the barrier waits.
void copy_for_barrier(const void* barrier, void* to, const void* from, unsigned bytes,
                      bool counts_bytes, Site site);

/// Stops the kernel unless the size and both addresses are multiples of the alignment.
/// @param kind  names the copy, as "a bulk copy"
void check_copy(const char* kind, const void* to, const void* from, std::size_t bytes,
                std::size_t alignment, Site site);
/// Part of the bulk copies out of shared memory that the thread commits next.
void copy_in_bulk_group(void* to, const void* from, unsigned bytes, Site site);
void commit_bulk_copies(Site site);
/// Waits for all committed bulk copies but the last `prior` groups.
/// @param reads_only  whether it is enough that they have read
void wait_for_bulk_copies(unsigned prior, bool reads_only, Site site);
/// Lets bulk copies see what the thread has written to shared memory.
void fence_async_proxy();

#ifdef TILELAB_CHECKED
extern "C" void tilelab_observe_copy(void* to, const void* from, unsigned bytes,
                                     unsigned source_bytes);
extern "C" void tilelab_observe_bulk_copy(void* to, const void* from, unsigned bytes);
extern "C" void tilelab_observe_bulk_copy_of_part(void* to, const void* from, unsigned bytes);
#endif

__attribute__((always_inline)) inline void observe_copy(void* to, const void* from, unsigned bytes,
                                                        unsigned source_bytes) {
#ifdef TILELAB_CHECKED
  tilelab_observe_copy(to, from, bytes, source_bytes);
#else
  static_cast<void>(to), static_cast<void>(from), static_cast<void>(bytes);
  static_cast<void>(source_bytes);
#endif
}

/// A chunk of a copy that a single instruction starts.
/// @param is_part  whether the copy leaves the other half of the chunk's sector alone
__attribute__((always_inline)) inline void observe_bulk_copy(void* to, const void* from,
                                                             unsigned bytes, bool is_part) {
#ifdef TILELAB_CHECKED
  if (is_part) {
    tilelab_observe_bulk_copy_of_part(to, from, bytes);
  } else {
    tilelab_observe_bulk_copy(to, from, bytes);
  }
#else
  static_cast<void>(to), static_cast<void>(from), static_cast<void>(bytes);
  static_cast<void>(is_part);
#endif
}

/// The widest chunk that the addresses and the size allow, as hardware copies it.
inline unsigned chunk_bytes(const void* to, const void* from, std::size_t bytes) {
  const std::uintptr_t bits =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes | 16;
  return static_cast<unsigned>(bits & -bits);
}

/// Calls `copy(to, from, bytes)` for the chunks that belong to one thread of a group.
template <class Copy>
__attribute__((always_inline)) inline void for_each_chunk(void* to, const void* from,
                                                          std::size_t bytes, std::size_t rank,
                                                          std::size_t threads, Copy copy) {
  const unsigned chunk = chunk_bytes(to, from, bytes);
  for (std::size_t at = rank * chunk; at < bytes; at += threads * chunk) {
    void* const chunk_to = static_cast<char*>(to) + at;
    const void* const chunk_from = static_cast<const char*>(from) + at;
    observe_copy(chunk_to, chunk_from, chunk, chunk);
    copy(chunk_to, chunk_from, chunk);
  }
}

/// Calls `copy(to, from, bytes)` for the chunks of one thread's copy.
/// @param global  the one of both addresses that is in global memory
template <class Copy>
__attribute__((always_inline)) inline void for_each_bulk_chunk(void* to, const void* from,
                                                               const void* global,
                                                               std::size_t bytes, Copy copy) {
  constexpr unsigned chunk = 16;
  const bool begins_within = reinterpret_cast<std::uintptr_t>(global) % (2 * chunk) != 0;
  for (std::size_t at = 0; at < bytes; at += chunk) {
    void* const chunk_to = static_cast<char*>(to) + at;
    const void* const chunk_from = static_cast<const char*>(from) + at;
    const bool is_second = begins_within != (at % (2 * chunk) != 0);
    observe_bulk_copy(chunk_to, chunk_from, chunk, is_second ? at == 0 : at + chunk >= bytes);
    copy(chunk_to, chunk_from, chunk);
  }
}

/// One thread's copy to shared memory, whose bytes the barrier expects.
__attribute__((always_inline)) inline void bulk_copy_for_barrier(void* to, const void* from,
                                                                 std::size_t bytes,
                                                                 const void* barrier, Site site) {
  check_copy("a bulk copy", to, from, bytes, 16, site);
  for_each_bulk_chunk(to, from, from, bytes,
                      [barrier, site](void* chunk_to, const void* chunk_from, unsigned chunk) {
                        copy_for_barrier(barrier, chunk_to, chunk_from, chunk, true, site);
                      });
}

/// One thread's copy out of shared memory.
__attribute__((always_inline)) inline void bulk_copy_in_group(void* to, const void* from,
                                                              std::size_t bytes, Site site) {
  check_copy("a bulk copy", to, from, bytes, 16, site);
  for_each_bulk_chunk(to, from, to, bytes,
                      [site](void* chunk_to, const void* chunk_from, unsigned chunk) {
                        copy_in_bulk_group(chunk_to, chunk_from, chunk, site);
                      });
}

}  // namespace tilelab::emulator
