// What the dispatcher does about asynchronous copies, and barriers of some threads of a block.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"

namespace tilelab::emulator {

void Dispatcher::copy_begins(const void* from, unsigned source_bytes, CopyKind kind) {
  // Others run while an event waits for room in the log. They must not start copies before this one
  // is complete: a load per byte at most, and a store.
  constexpr std::ptrdiff_t most_events = 18;
  if (is_tracing_ && hot.end - hot.cursor < most_events) logs_.make_room();
  copy_.begin(from, source_bytes, kind);
}

void Dispatcher::trace_copy(Event store) {
  // The store happens later. What the copy reads is what it will write, followed by zeros.
  std::array<std::byte, 16> value{};
  const auto from = reinterpret_cast<std::uintptr_t>(copy_.from());
  if (kernel_memory_.compress(from, copy_.source_bytes())) {
    std::memcpy(value.data(), copy_.from(), copy_.source_bytes());
  }
  tracer_.before_store(store, logs_.running_thread(), value.data());
  tracer_.after_store();
}

void Dispatcher::copy_ends(const void* from, unsigned source_bytes, Code load) {
  copy_.end(kernel_memory_.compress(reinterpret_cast<std::uintptr_t>(from), source_bytes),
            source_bytes, load);
}

void Dispatcher::take_alone(unsigned thread, const Event* begin, const Event* end) {
  for (const Event* event = begin; event != end; ++event) {
    const Code code = code_of(*event);
    if (is_mark(code) || copy_.is_copy(code)) continue;
    WarpAccess access;
    access.code = code;
    access.warp = thread / 32;
    access.lanes = 1u << thread % 32;
    access.count = 1;
    access.is_regular = true;
    access.first = address_of(*event);
    access.stride = 0;
    uninitialized_reads_.take(access);
    races_.take_event(*event, thread);
    if (clusters_.is_active()) clusters_.take(*event, thread);
  }
}

/// Takes what the running thread did until now.
/// @return false if nobody watches
bool Dispatcher::begin_exchange() {
  if (!is_tracing_ || !hot.watches_stores) return false;
  after_store();
  if (!races_.is_async()) {
    races_.begin_async();
    logs_.begin_async();
  }
  logs_.flush(logs_.running_thread());
  return true;
}

void Dispatcher::exchange(const std::vector<unsigned>& threads) {
  for (const unsigned rank : threads) logs_.flush(rank);
  races_.async().meet(threads);
  if (clusters_.is_active()) clusters_.meet(threads);
}

void Dispatcher::threads_meet(unsigned first, unsigned threads) {
  if (!begin_exchange()) return;
  std::vector<unsigned> ranks(threads);
  std::iota(ranks.begin(), ranks.end(), first);
  exchange(ranks);
}

void Dispatcher::copy_issued(std::uint32_t batch, std::uint32_t read_batch) {
  if (!begin_exchange()) return;
  const RaceDetector::CopyPlace& place = copy_.place();
  const unsigned thread = logs_.running_thread();
  races_.copy_issued(place, thread, batch, read_batch);
  uninitialized_reads_.copied(place, thread);
  if (clusters_.is_active()) clusters_.copied(place.to, place.bytes, place.store, thread);
}

void Dispatcher::async_proxy_fenced() {
  if (begin_exchange()) races_.async_proxy_fenced(logs_.running_thread());
}

void Dispatcher::copy_reads_by_proxy(Site site) {
  if (!begin_exchange() || races_.is_visible_to_proxy(copy_.place(), logs_.running_thread()))
    return;
  char sentence[256];
  std::snprintf(sentence, sizeof sentence,
                "starts a bulk copy out of shared memory in %s:%u that may not see what threads "
                "wrote there: they must call fence_proxy_async() before the barrier",
                file_name(site), site.line);
  findings_.add_misused_barrier(site, sentence);
}

void Dispatcher::copies_waited_for(std::uint32_t batch) {
  if (begin_exchange()) races_.async().learn_batch(logs_.running_thread(), batch);
}

void Dispatcher::barrier_initialized(const void* barrier) {
  if (begin_exchange()) races_.async().initialize(barrier, logs_.running_thread());
}

bool Dispatcher::barrier_is_ready(const void* barrier) {
  return !begin_exchange() || races_.async().knows_barrier(logs_.running_thread(), barrier);
}

void Dispatcher::barrier_arrived(const void* barrier, std::uint64_t phase) {
  if (begin_exchange()) races_.async().arrive(logs_.running_thread(), barrier, phase);
}

void Dispatcher::barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch) {
  if (!begin_exchange()) return;
  races_.async().pass(logs_.running_thread(), barrier, phase);
  races_.async().learn_batch(logs_.running_thread(), batch);
}

// --- Clusters ------------------------------------------------------------------------------------

std::vector<unsigned> Dispatcher::living_threads() const {
  std::vector<unsigned> ranks;
  for (unsigned rank = 0; rank < blockDim.x * blockDim.y * blockDim.z; ++rank) {
    if ((Scheduler::instance().living_lanes(rank / 32) >> rank % 32 & 1) != 0)
      ranks.push_back(rank);
  }
  return ranks;
}

void Dispatcher::cluster_arrived() {
  if (begin_exchange()) clusters_.arrived(logs_.running_thread());
}

void Dispatcher::cluster_passed() {
  if (begin_exchange()) clusters_.passed(logs_.running_thread());
}

void Dispatcher::cluster_barrier_opens() {
  if (!is_tracing_ || !hot.watches_stores || !races_.is_async()) return;
  after_store();
  for (const unsigned rank : living_threads()) logs_.flush(rank);
  races_.cluster_barrier_opens();
}

void Dispatcher::barrier_misused(Site site, const char* sentence) {
  if (is_tracing_) findings_.add_misused_barrier(site, sentence);
}

}  // namespace tilelab::emulator
