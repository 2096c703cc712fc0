#pragma once

/// What `cuda::ptx` has for barriers in shared memory, bulk copies and clusters.

#include <cstdint>

#include "emulated/async/memcpy_async.h"
#include "emulated/clusters.h"

namespace cuda::ptx {

using tilelab::emulator::Site;

// Tags that say what a PTX instruction has after its dots. Most change nothing here.
struct space_global_t {};
struct space_shared_t {};
struct space_cluster_t {};
struct sem_acquire_t {};
struct sem_release_t {};
struct sem_relaxed_t {};
struct scope_cta_t {};
struct scope_cluster_t {};
inline constexpr space_global_t space_global;
inline constexpr space_shared_t space_shared;
inline constexpr space_cluster_t space_cluster;
inline constexpr sem_acquire_t sem_acquire;
inline constexpr sem_release_t sem_release;
inline constexpr sem_relaxed_t sem_relaxed;
inline constexpr scope_cta_t scope_cta;
inline constexpr scope_cluster_t scope_cluster;

template <int number>
struct n32_t {
  static constexpr int value = number;
};

template <class T>
concept Semantics = std::is_same_v<T, sem_acquire_t> || std::is_same_v<T, sem_release_t> ||
    std::is_same_v<T, sem_relaxed_t>;
template <class T>
concept Scope = std::is_same_v<T, scope_cta_t> || std::is_same_v<T, scope_cluster_t>;

// --- Barriers ------------------------------------------------------------------------------------

inline void mbarrier_init(std::uint64_t* barrier, std::uint32_t count,
                          Site site = Site::current()) {
  tilelab::emulator::initialize_barrier(barrier, count, site);
}
inline void mbarrier_inval(std::uint64_t* barrier, Site site = Site::current()) {
  tilelab::emulator::invalidate_barrier(barrier, site);
}

inline std::uint64_t mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count = 1,
                                     Site site = Site::current()) {
  return tilelab::emulator::arrive_at_barrier(barrier, count, false, 0, site);
}
std::uint64_t mbarrier_arrive(Semantics auto, Scope auto, space_shared_t, std::uint64_t* barrier,
                              std::uint32_t count = 1, Site site = Site::current()) {
  return mbarrier_arrive(barrier, count, site);
}
std::uint64_t mbarrier_arrive_expect_tx(Semantics auto, Scope auto, space_shared_t,
                                        std::uint64_t* barrier, std::uint32_t bytes,
                                        Site site = Site::current()) {
  return tilelab::emulator::arrive_at_barrier(barrier, 1, false, bytes, site);
}
void mbarrier_expect_tx(Semantics auto, Scope auto, space_shared_t, std::uint64_t* barrier,
                        std::uint32_t bytes, Site site = Site::current()) {
  tilelab::emulator::expect_bytes_at_barrier(barrier, bytes, site);
}

inline bool mbarrier_test_wait(std::uint64_t* barrier, std::uint64_t token,
                               Site site = Site::current()) {
  return tilelab::emulator::try_wait_for_phases(barrier, token, site);
}
bool mbarrier_test_wait(Semantics auto, Scope auto, std::uint64_t* barrier, std::uint64_t token,
                        Site site = Site::current()) {
  return mbarrier_test_wait(barrier, token, site);
}
inline bool mbarrier_try_wait(std::uint64_t* barrier, std::uint64_t token,
                              Site site = Site::current()) {
  return mbarrier_test_wait(barrier, token, site);
}
bool mbarrier_try_wait(Semantics auto, Scope auto, std::uint64_t* barrier, std::uint64_t token,
                       Site site = Site::current()) {
  return mbarrier_test_wait(barrier, token, site);
}

/// Whether the phase of this parity has ended, the current one or the one before.
inline bool mbarrier_test_wait_parity(std::uint64_t* barrier, std::uint32_t parity,
                                      Site site = Site::current()) {
  const std::uint64_t ended = tilelab::emulator::ended_phases(barrier, site);
  return tilelab::emulator::try_wait_for_phases(barrier, ended % 2 == parity ? ended + 1 : ended,
                                                site);
}
bool mbarrier_test_wait_parity(Semantics auto, Scope auto, std::uint64_t* barrier,
                               std::uint32_t parity, Site site = Site::current()) {
  return mbarrier_test_wait_parity(barrier, parity, site);
}
inline bool mbarrier_try_wait_parity(std::uint64_t* barrier, std::uint32_t parity,
                                     Site site = Site::current()) {
  return mbarrier_test_wait_parity(barrier, parity, site);
}
bool mbarrier_try_wait_parity(Semantics auto, Scope auto, std::uint64_t* barrier,
                              std::uint32_t parity, Site site = Site::current()) {
  return mbarrier_test_wait_parity(barrier, parity, site);
}

// --- Fences --------------------------------------------------------------------------------------

inline void fence_proxy_async() { tilelab::emulator::fence_async_proxy(); }
inline void fence_proxy_async(space_shared_t) { fence_proxy_async(); }
inline void fence_proxy_async(space_cluster_t) { fence_proxy_async(); }
inline void fence_proxy_async(space_global_t) {}
inline void fence_mbarrier_init(sem_release_t, scope_cluster_t) {}

// --- Bulk copies ---------------------------------------------------------------------------------

__attribute__((always_inline)) inline void cp_async_bulk(space_shared_t, space_global_t, void* to,
                                                         const void* from, std::uint32_t bytes,
                                                         std::uint64_t* barrier,
                                                         Site site = Site::current()) {
  tilelab::emulator::bulk_copy_for_barrier(to, from, bytes, barrier, site);
}
__attribute__((always_inline)) inline void cp_async_bulk(space_cluster_t, space_global_t, void* to,
                                                         const void* from, std::uint32_t bytes,
                                                         std::uint64_t* barrier,
                                                         Site site = Site::current()) {
  tilelab::emulator::bulk_copy_for_barrier(to, from, bytes, barrier, site);
}
__attribute__((always_inline)) inline void cp_async_bulk(space_global_t, space_shared_t, void* to,
                                                         const void* from, std::uint32_t bytes,
                                                         Site site = Site::current()) {
  tilelab::emulator::bulk_copy_in_group(to, from, bytes, site);
}
inline void cp_async_bulk_commit_group(Site site = Site::current()) {
  tilelab::emulator::commit_bulk_copies(site);
}
template <int prior>
void cp_async_bulk_wait_group(n32_t<prior>, Site site = Site::current()) {
  tilelab::emulator::wait_for_bulk_copies(prior, false, site);
}
template <int prior>
void cp_async_bulk_wait_group_read(n32_t<prior>, Site site = Site::current()) {
  tilelab::emulator::wait_for_bulk_copies(prior, true, site);
}

// --- Clusters ------------------------------------------------------------------------------------

inline void barrier_cluster_arrive(Site site = Site::current()) {
  tilelab::emulator::arrive_at_cluster_barrier(site);
}
void barrier_cluster_arrive(Semantics auto, Site site = Site::current()) {
  tilelab::emulator::arrive_at_cluster_barrier(site);
}
inline void barrier_cluster_wait(Site site = Site::current()) {
  tilelab::emulator::wait_at_cluster_barrier(site);
}
void barrier_cluster_wait(Semantics auto, Site site = Site::current()) {
  tilelab::emulator::wait_at_cluster_barrier(site);
}

}  // namespace cuda::ptx

/// The same under the names of CUDA 12's first versions.
namespace cuda::device::experimental {

__attribute__((always_inline)) inline void cp_async_bulk_global_to_shared(
    void* to, const void* from, std::uint32_t bytes, barrier<thread_scope_block>& waits,
    Site site = Site::current()) {
  tilelab::emulator::bulk_copy_for_barrier(to, from, bytes, &waits, site);
}
__attribute__((always_inline)) inline void cp_async_bulk_shared_to_global(
    void* to, const void* from, std::uint32_t bytes, Site site = Site::current()) {
  tilelab::emulator::bulk_copy_in_group(to, from, bytes, site);
}
inline void cp_async_bulk_commit_group(Site site = Site::current()) {
  tilelab::emulator::commit_bulk_copies(site);
}
template <int prior>
void cp_async_bulk_wait_group_read(Site site = Site::current()) {
  tilelab::emulator::wait_for_bulk_copies(prior, true, site);
}
inline void fence_proxy_async_shared_cta() { tilelab::emulator::fence_async_proxy(); }

}  // namespace cuda::device::experimental
