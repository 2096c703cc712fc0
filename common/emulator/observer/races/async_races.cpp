// Data races in blocks that use asynchronous copies, or barriers of some of their threads. There,
// what a thread did is looked at in the thread's own order, whenever it tells others or learns from
// them.

#include <algorithm>
#include <array>
#include <cstdio>

#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/memory/byte_mask.h"
#include "emulator/observer/races/race_detector.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {

using report::FindingKind;

namespace {

constexpr const char* still_running =
    "the asynchronous copy may still be under way: the other thread has not waited for it";
constexpr const char* own_still_running =
    "the asynchronous copy may still be under way: the thread has not waited for it";
constexpr const char* not_done_yet =
    "the asynchronous copy may begin before the other thread is done: nothing orders the two";

}  // namespace

void RaceDetector::thread_order_begins() {
  if (async_.is_active()) return;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  std::vector<std::uint16_t> times;
  for (unsigned thread = 0; thread < threads; ++thread) {
    times.push_back(static_cast<std::uint16_t>(block_.order.now(thread)));
  }
  async_.begin(threads, times);
}

void RaceDetector::end_async() {
  skip_async_epochs();
  async_.block_begins();
  first_copy_ += static_cast<std::uint32_t>(issued_.size());
  issued_.clear();
  proxy_fences_.clear();
}

void RaceDetector::take_alone(Event event, unsigned thread) {
  const Code code = code_of(event);
  const std::uint32_t address = address_of(event);
  const MemorySpace space = space_of(address);
  if (space != MemorySpace::global && space != MemorySpace::shared) return;
  const bool is_shared = space == MemorySpace::shared;
  const bool is_load = kind_of(code) == AccessKind::load;
  AccessRecord now = record(code, thread, 0, 0);
  const unsigned bytes = bytes_of(code);
  for (std::uint32_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
    now.bytes = byte_mask(at, bytes) & 0xf;
    WordHistory& word = histories_.of(at);
    if (is_load) {
      check_copies(now, at, bytes, false);
      take_load(word, now, at, is_shared, bytes);
    } else {
      if (kind_of(code) == AccessKind::atomic && is_special(code)) forgive_reads(word, now, at);
      take_store(word, now, at, is_shared, bytes);
    }
  }
}

/// Looks for copies that may still be under way.
void RaceDetector::check_copies(const AccessRecord& now, std::uint32_t address, unsigned bytes,
                                bool is_write) {
  const CopiedWord copied = copied_words_.known(address);
  for (const bool is_written : {true, false}) {
    if (!is_written && !is_write) continue;
    const IssuedCopy* const copy = find_copy(is_written ? copied.write : copied.read);
    const unsigned touched = is_written ? copied.write_bytes : copied.read_bytes;
    if (copy == nullptr || (touched & now.bytes) == 0) continue;
    if (async_.knows_batch(now.thread, is_written ? copy->batch : copy->read_batch)) continue;
    const Code code = is_written ? copy->store : copy->load;
    add_finding(FindingKind::data_race, address, bytes, {code, blockIdx, copy->thread}, party(now),
                copy->thread == now.thread ? own_still_running : still_running);
    return;
  }
}

const RaceDetector::IssuedCopy* RaceDetector::find_copy(std::uint32_t number) const {
  const std::uint32_t index = number - first_copy_;
  return number >= first_copy_ && index < issued_.size() ? &issued_[index] : nullptr;
}

/// Copies of one thread, place and batch share a number.
std::uint32_t RaceDetector::number_of(const IssuedCopy& copy) {
  if (!issued_.empty()) {
    const IssuedCopy& last = issued_.back();
    if (last.batch == copy.batch && last.thread == copy.thread && last.load == copy.load &&
        last.store == copy.store) {
      return first_copy_ + static_cast<std::uint32_t>(issued_.size()) - 1;
    }
  }
  issued_.push_back(copy);
  return first_copy_ + static_cast<std::uint32_t>(issued_.size()) - 1;
}

void RaceDetector::copy_issued(std::uint32_t batch, std::uint32_t read_batch) {
  const CopyPlace& place = copies_.place();
  const unsigned thread = running_thread();
  async_.begin_batch(batch);
  async_.begin_batch(read_batch);
  const std::uint32_t number = number_of({batch, read_batch, place.load, place.store, thread});
  read_by_copy(place, thread, number);
  written_by_copy(place, thread, number);
}

void RaceDetector::read_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number) {
  AccessRecord now = record(place.load, thread, 0, 0xf);
  const std::uint32_t end = place.from + place.source_bytes;
  for (std::uint32_t at = place.from; at < end; at = at / 4 * 4 + 4) {
    now.bytes = byte_mask(at, end - at) & 0xf;
    check_copies(now, at, place.source_bytes, false);
    take_load(histories_.of(at), now, at, space_of(at) == MemorySpace::shared, place.source_bytes);
    CopiedWord& copied = copied_words_.of(at);
    copied.read = number;
    copied.read_bytes = now.bytes;
  }
}

void RaceDetector::written_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number) {
  AccessRecord now = record(place.store, thread, 0, 0xf);
  const std::uint32_t end = place.to + place.bytes;
  for (std::uint32_t at = place.to; at < end; at = at / 4 * 4 + 4) {
    now.bytes = byte_mask(at, end - at) & 0xf;
    WordHistory& word = histories_.of(at);
    check_copies(now, at, place.bytes, true);
    const bool is_shared = space_of(at) == MemorySpace::shared;
    const AccessRecord* const write = conflicting_write(word, now, at, is_shared);
    for (const AccessRecord& earlier :
         {write != nullptr ? *write : word.write, word.read, word.other_read, word.old_read}) {
      if (earlier.epoch < launch_begin_ || !conflict(earlier, now, at, is_shared)) continue;
      add_finding(FindingKind::data_race, at, place.bytes, party(earlier), party(now),
                  not_done_yet);
      break;
    }
    // A thread that knows that the copy is complete also knows what came before it.
    histories_.forget(at);
    CopiedWord& copied = copied_words_.of(at);
    copied.write = number;
    copied.write_bytes = now.bytes;
  }
}

// --- The async proxy -----------------------------------------------------------------------------

void RaceDetector::async_proxy_fenced() {
  const unsigned thread = running_thread();
  async_.advance(thread);
  proxy_fences_[thread] = record({}, thread, 0, 0);
}

void RaceDetector::copy_reads_by_proxy(Site site) {
  if (is_visible_to_proxy(copies_.place(), running_thread())) return;
  char sentence[256];
  std::snprintf(sentence, sizeof sentence,
                "starts a bulk copy out of shared memory in %s:%u that may not see what threads "
                "wrote there: they must call fence_proxy_async() before the barrier",
                file_name(site), site.line);
  tell(&Listener::barrier_misused, site, sentence);
}

bool RaceDetector::is_visible_to_proxy(const CopyPlace& place, unsigned thread) {
  if (space_of(place.from) != MemorySpace::shared) return true;
  for (std::uint32_t at = place.from; at < place.from + place.source_bytes; at += 4) {
    const AccessRecord& write = histories_.of(at).write;
    if (write.bytes == 0 || write.epoch < block_begin_) continue;
    const auto own = proxy_fences_.find(write.thread);
    const bool is_fenced = own != proxy_fences_.end() &&
                           (own->second.epoch > write.epoch ||
                            (own->second.epoch == write.epoch && own->second.sync > write.sync));
    const auto issuer = proxy_fences_.find(thread);
    if (!is_fenced && (issuer == proxy_fences_.end() || issuer->second.epoch < write.epoch)) {
      return false;
    }
  }
  return true;
}

// --- Waiting, and barriers in shared memory ------------------------------------------------------

void RaceDetector::copies_waited_for(std::uint32_t batch, Site) {
  async_.learn_batch(running_thread(), batch);
}

void RaceDetector::barrier_initialized(const void* barrier, Site) {
  async_.initialize(barrier, running_thread());
  // What was stored there before does no harm.
  if (WordHistory* const words = words_of_barrier(barrier)) words[0].write = words[1].write = {};
}

/// The words of a barrier in shared memory, or null.
WordHistory* RaceDetector::words_of_barrier(const void* barrier) {
  const auto address = reinterpret_cast<std::uintptr_t>(barrier);
  const std::uintptr_t in_static = address - hot.shared_begin;
  const std::uintptr_t in_dynamic =
      address - reinterpret_cast<std::uintptr_t>(&dynamic_shared_memory);
  if (address % 8 != 0) return nullptr;
  if (in_static < hot.shared_bytes) {
    return &histories_.of(space_base::shared + static_cast<std::uint32_t>(in_static));
  }
  if (in_dynamic >= device_limits::shared_bytes_per_block_optin) return nullptr;
  return &histories_.of(space_base::dynamic + static_cast<std::uint32_t>(in_dynamic));
}

/// Tells of a store that has hit the barrier since it was initialized.
void RaceDetector::find_overwritten(const void* barrier, const char* verb, Site site) {
  WordHistory* const words = words_of_barrier(barrier);
  if (words == nullptr) return;
  for (AccessRecord* const write : {&words[0].write, &words[1].write}) {
    if (write->bytes == 0 || write->epoch < block_begin_) continue;
    *write = {};
    char sentence[256];
    std::snprintf(sentence, sizeof sentence,
                  "%s a barrier in %s:%u, after a thread has stored something else where it is",
                  verb, file_name(site), site.line);
    return tell(&Listener::barrier_misused, site, sentence);
  }
}

void RaceDetector::barrier_used(const void* barrier, const char* verb, Site site,
                                Site initialized) {
  find_overwritten(barrier, verb, site);
  if (async_.knows_barrier(running_thread(), barrier)) return;
  char sentence[512];
  std::snprintf(sentence, sizeof sentence,
                "%s a barrier in %s:%u that another thread has initialized in %s:%u, but nothing "
                "orders the two: put a __syncthreads() after init()",
                verb, file_name(site), site.line, file_name(initialized), initialized.line);
  tell(&Listener::barrier_misused, site, sentence);
}

void RaceDetector::barrier_arrived(const void* barrier, std::uint64_t phase) {
  async_.arrive(running_thread(), barrier, phase);
}

void RaceDetector::barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch,
                                  Site) {
  async_.pass(running_thread(), barrier, phase);
  async_.learn_batch(running_thread(), batch);
}

// --- Reads ---------------------------------------------------------------------------------------

/// Keeps readers that nobody since has known of.
void RaceDetector::remember_async_read(WordHistory& word, const AccessRecord& now) const {
  for (AccessRecord* read : {&word.read, &word.other_read}) {
    if (read->epoch < epoch_ || ordered_in_block(*read, now)) {
      const std::uint32_t bytes = read->thread == now.thread ? read->bytes : 0u;
      *read = now;
      read->bytes = (now.bytes | bytes) & 0xf;
      return;
    }
  }
}

}  // namespace tilelab::emulator
