#pragma once

/// Barriers in shared memory that count arrivals and bytes. Their state is in the runtime; the
/// object in shared memory is only their address.

#include <cstdint>

#include "emulated/site.h"

namespace tilelab::emulator {

void initialize_barrier(const void* barrier, unsigned arrivals, Site site);
void invalidate_barrier(const void* barrier, Site site);
/// @return how many phases have ended once the one that the thread has arrived at has
std::uint64_t arrive_at_barrier(const void* barrier, unsigned arrivals, bool drops,
                                std::int64_t expected_bytes, Site site);
void expect_bytes_at_barrier(const void* barrier, std::int64_t bytes, Site site);
/// Waits until this many phases have ended.
void wait_for_phases(const void* barrier, std::uint64_t phases, Site site);
bool try_wait_for_phases(const void* barrier, std::uint64_t phases, Site site);
std::uint64_t ended_phases(const void* barrier, Site site);

}  // namespace tilelab::emulator
