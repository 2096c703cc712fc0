// What kernels call for asynchronous copies and barriers.

#include <cstdio>

#include "emulated/async/barrier_functions.h"
#include "emulated/async/copy_functions.h"
#include "emulator/runtime/async/async_copies.h"
#include "emulator/runtime/async/async_state.h"
#include "emulator/runtime/async/barriers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {
namespace {

unsigned running_rank() {
  const Scheduler* scheduler = Scheduler::running();
  if (scheduler == nullptr) fatal("host code starts an asynchronous copy, which only kernels can");
  follow_blocks();
  return scheduler->current_rank();
}

/// @param known  what the thread now knows to be complete
void wait_for(AsyncCopies::Batch batch, AsyncCopies::Batch known, Site site) {
  AsyncCopies::instance().complete(batch);
  tell_exchange(&Listener::copies_waited_for, known, site);
}

void tell_commit(AsyncCopies::Batch batch, Site site) {
  if (traces_block && batch != 0) tell(&Listener::copies_committed, batch, site);
}

Barriers& barriers() {
  if (Scheduler::running() == nullptr) fatal("host code uses a barrier, which only kernels can");
  follow_blocks();
  return Barriers::instance();
}

}  // namespace

void copy_in_group(void* to, const void* from, unsigned bytes, unsigned source_bytes) {
  AsyncCopies& copies = AsyncCopies::instance();
  const AsyncCopies::Batch batch = copies.open_batch(running_rank());
  tell_exchange(&Listener::copy_issued, batch, batch);
  copies.issue(batch, {to, from, bytes, source_bytes}, Scheduler::instance().copies_early());
}

void commit_copies(Site site) { tell_commit(AsyncCopies::instance().commit(running_rank()), site); }

void wait_for_copies(unsigned prior, Site site) {
  const unsigned rank = running_rank();
  while (const AsyncCopies::Batch batch = AsyncCopies::instance().take_oldest(rank, prior)) {
    wait_for(batch, batch, site);
  }
}

void wait_for_oldest_copies(Site site) {
  if (const auto batch = AsyncCopies::instance().take_oldest(running_rank(), 0))
    wait_for(batch, batch, site);
}

// --- Bulk copies ---------------------------------------------------------------------------------

void check_copy(const char* kind, const void* to, const void* from, std::size_t bytes,
                std::size_t alignment, Site site) {
  Scheduler* scheduler = Scheduler::running();
  if (scheduler == nullptr) fatal("host code starts an asynchronous copy, which only kernels can");
  const std::uintptr_t bits =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (bits % alignment == 0) return;
  char sentence[256];
  std::snprintf(sentence, sizeof sentence,
                "starts %s of %zu bytes from %p to %p in %s:%u: the size and both addresses must "
                "be multiples of %zu",
                kind, bytes, from, to, file_name(site), site.line, alignment);
  scheduler->fault(cudaErrorMisalignedAddress, sentence);
}

void copy_in_bulk_group(void* to, const void* from, unsigned bytes, Site site) {
  AsyncCopies& copies = AsyncCopies::instance();
  const AsyncCopies::BulkGroup& group = copies.open_bulk_group(running_rank(), site);
  tell_exchange(&Listener::copy_issued, group.writes, group.reads);
  tell_exchange(&Listener::copy_reads_by_proxy, site);
  copies.issue(group.writes, {to, from, bytes, bytes}, Scheduler::instance().copies_early());
}

void commit_bulk_copies(Site site) {
  tell_commit(AsyncCopies::instance().commit_bulk_group(running_rank()), site);
}

void wait_for_bulk_copies(unsigned prior, bool reads_only, Site site) {
  std::deque<AsyncCopies::BulkGroup>& groups = AsyncCopies::instance().bulk_groups(running_rank());
  const std::size_t count = groups.size() > prior ? groups.size() - prior : 0;
  for (std::size_t i = 0; i < count; ++i) {
    wait_for(groups[i].writes, reads_only ? groups[i].reads : groups[i].writes, site);
    if (!reads_only) wait_for(groups[i].writes, groups[i].reads, site);
    groups[i].has_read = true;
  }
  if (!reads_only)
    groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(count));
}

void fence_async_proxy() {
  running_rank();
  tell_exchange(&Listener::async_proxy_fenced);
}

// --- Barriers ------------------------------------------------------------------------------------

void copy_for_barrier(const void* barrier, void* to, const void* from, unsigned bytes,
                      bool counts_bytes, Site site) {
  barriers().copy(barrier, {to, from, bytes, bytes}, counts_bytes, site);
}

void initialize_barrier(const void* barrier, unsigned arrivals, Site site) {
  barriers().initialize(barrier, arrivals, site);
}

void invalidate_barrier(const void* barrier, Site site) { barriers().invalidate(barrier, site); }

std::uint64_t arrive_at_barrier(const void* barrier, unsigned arrivals, bool drops,
                                std::int64_t expected_bytes, Site site) {
  return barriers().arrive(barrier, arrivals, drops, expected_bytes, site);
}

void expect_bytes_at_barrier(const void* barrier, std::int64_t bytes, Site site) {
  barriers().expect_bytes(barrier, bytes, site);
}

void wait_for_phases(const void* barrier, std::uint64_t phases, Site site) {
  barriers().wait(barrier, phases, site);
}

bool try_wait_for_phases(const void* barrier, std::uint64_t phases, Site site) {
  return barriers().try_wait(barrier, phases, site);
}

std::uint64_t ended_phases(const void* barrier, Site site) {
  return barriers().ended_phases(barrier, site);
}

}  // namespace tilelab::emulator
