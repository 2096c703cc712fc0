#include "emulator/observer/races/race_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/runtime/execution/builtin_variables.h"

namespace tilelab::emulator {
namespace {

constexpr std::uint32_t most_syncs = (1u << 10) - 1;
constexpr std::uint32_t unknown_site = (1u << 12) - 1;

/// The bytes of the word that the access touches, a bit each.
constexpr std::uint32_t byte_mask(std::uint32_t address, unsigned bytes) {
  return bytes >= 4 ? 0xf : ((1u << bytes) - 1) << address % 4;
}

}  // namespace

// --- Time ----------------------------------------------------------------------------------------

void RaceDetector::launch_begins() {
  // Records have 28 bits for an epoch. A launch with half as many barriers would take days.
  constexpr std::uint32_t most_epochs = 1u << 27;
  if (epoch_ > most_epochs) {
    histories_.clear();
    epoch_ = 1;
  }
  blocks_.clear();
  launch_begin_ = epoch_ + 1;
}

void RaceDetector::block_begins() {
  barrier_opens();
  block_begin_ = epoch_;
  blocks_.push_back({epoch_, blockIdx});
  has_acquired_ = false;
}

void RaceDetector::barrier_opens() {
  ++epoch_;
  for (auto& syncs : syncs_) syncs.clear();
  sync_now_.fill(0);
  sync_taken_.fill(0);
}

void RaceDetector::forget(std::uint32_t begin, std::size_t bytes) {
  for (std::uint32_t at = begin; at < begin + bytes; at += 4) histories_.of(at) = {};
}

std::uint32_t RaceDetector::sync(unsigned warp, std::uint32_t lanes) {
  syncs_[warp].push_back(lanes);
  const auto number = std::min(static_cast<std::uint32_t>(syncs_[warp].size()), most_syncs);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    sync_now_[warp * 32 + static_cast<unsigned>(std::countr_zero(rest))] =
        static_cast<std::uint16_t>(number);
  }
  return number;
}

void RaceDetector::take_sync(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    sync_taken_[warp * 32 + static_cast<unsigned>(std::countr_zero(rest))] =
        static_cast<std::uint16_t>(number);
  }
}

const RaceDetector::BlockBegin* RaceDetector::begin_of(std::uint32_t epoch) const {
  const auto next = std::upper_bound(
      blocks_.begin(), blocks_.end(), epoch,
      [](std::uint32_t wanted, const BlockBegin& block) { return wanted < block.epoch; });
  return next == blocks_.begin() ? nullptr : &*std::prev(next);
}

uint3 RaceDetector::block_of(std::uint32_t epoch) const {
  const BlockBegin* block = begin_of(epoch);
  return block != nullptr ? block->index : uint3{};
}

/// What an atomic operation in global memory does for the memory around it. Blocks run one after
/// the other, so it does not matter which atomic variable it is.
void RaceDetector::pass_on_memory() {
  if (fenced_ >= block_begin_) blocks_.back().released = epoch_;
  has_acquired_ = true;
}

// --- What conflicts ------------------------------------------------------------------------------

AccessRecord RaceDetector::record(Code code, unsigned thread, unsigned sync, unsigned bytes) {
  AccessRecord result;
  result.epoch = epoch_;
  result.bytes = bytes & 0xf;
  result.thread = thread & 0x3ff;
  result.site = std::min(sites_.number_of(code), unknown_site) & unknown_site;
  result.sync = sync & most_syncs;
  return result;
}

Code RaceDetector::code_in(const AccessRecord& record) const {
  return record.site < sites_.size() ? static_cast<Code>(sites_.key(record.site)) : Code{0};
}

AccessKind RaceDetector::kind_in(const AccessRecord& record) const {
  return kind_of(code_in(record));
}

bool RaceDetector::is_unordered(const AccessRecord& earlier, const AccessRecord& now) const {
  if (earlier.epoch == epoch_ ? ordered_in_block(earlier, now) : ordered_between_blocks(earlier)) {
    return false;
  }
  return kind_in(earlier) != AccessKind::atomic || kind_in(now) != AccessKind::atomic;
}

/// Whether two accesses between the same two barriers are ordered.
bool RaceDetector::ordered_in_block(const AccessRecord& earlier, const AccessRecord& now) const {
  if (earlier.thread == now.thread) return true;
  return earlier.thread / 32 == now.thread / 32 && ordered_in_warp(earlier, now);
}

/// Whether the running block may rely on an access before its last barrier.
bool RaceDetector::ordered_between_blocks(const AccessRecord& earlier) const {
  if (earlier.epoch < launch_begin_ || earlier.epoch >= block_begin_) return true;
  if (!has_acquired_) return false;
  const BlockBegin* block = begin_of(earlier.epoch);
  return block != nullptr && block->released >= earlier.epoch;
}

bool RaceDetector::ordered_in_warp(const AccessRecord& a, const AccessRecord& b) const {
  const unsigned warp = a.thread / 32;
  // There were more meetings than a record can count. No finding is better than a false one.
  if (a.sync == most_syncs || b.sync == most_syncs) return true;
  return leads_to(warp, a, b) || leads_to(warp, b, a);
}

/// Whether a chain of meetings leads from `a` to one that b's lane attended before `b`.
bool RaceDetector::leads_to(unsigned warp, const AccessRecord& a, const AccessRecord& b) const {
  std::uint32_t reached = 1u << a.thread % 32;
  for (std::uint32_t number = a.sync; number < b.sync; ++number) {
    const std::uint32_t lanes = syncs_[warp][number];
    if ((lanes & reached) != 0) reached |= lanes;
  }
  return (reached >> b.thread % 32 & 1) != 0;
}

// --- Stores, before they happen ------------------------------------------------------------------

void RaceDetector::before_store(Event event, unsigned thread, const void* memory) {
  after_store();
  const Code code = code_of(event);
  const std::uint32_t address = address_of(event);
  const bool is_shared = space_of(address) == MemorySpace::shared;
  const unsigned bytes = bytes_of(code);
  if (kind_of(code) == AccessKind::atomic && !is_shared) pass_on_memory();
  AccessRecord now = record(code, thread, sync_now_[thread], 0);
  for (std::uint32_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
    WordHistory& word = histories_.of(at);
    now.bytes = byte_mask(at, bytes) & 0xf;
    if (conflict(word.write, now, is_shared)) {
      pending_ = {true, memory, {}, at, bytes, word.write, now};
      std::memcpy(pending_.before.data(), memory, bytes);
    }
    const bool adds_bytes = word.write.epoch == epoch_ && word.write.thread == thread;
    const std::uint32_t earlier_bytes = adds_bytes ? word.write.bytes : 0u;
    // A thread's atomic after its own store adds nothing: the store already conflicts with other
    // threads' atomics.
    const bool keeps_store = adds_bytes && kind_of(code) == AccessKind::atomic &&
                             kind_in(word.write) == AccessKind::store;
    if (!keeps_store) word.write = now;
    word.write.bytes = (now.bytes | earlier_bytes) & 0xf;
  }
}

void RaceDetector::after_store() {
  if (!pending_.is_pending) return;
  pending_.is_pending = false;
  const bool is_plain =
      kind_in(pending_.first) == AccessKind::store && kind_in(pending_.second) == AccessKind::store;
  const bool is_same =
      is_plain && std::memcmp(pending_.before.data(), pending_.memory, pending_.bytes) == 0;
  add_finding(is_same ? report::FindingKind::same_value_data_race : report::FindingKind::data_race,
              pending_.address, pending_.bytes, pending_.first, pending_.second);
}

// --- When a warp's logs are put together ---------------------------------------------------------

/// Calls `function(word, record, address)` for every word of every lane. If all lanes load from the
/// same address, it calls it for the first two only.
template <class Function>
void RaceDetector::for_each_word(const WarpAccess& access, Function function) {
  const unsigned bytes = access.bytes();
  AccessRecord now = record(access.code, 0, 0, 0);
  const bool same_address = access.is_regular && access.stride == 0;
  const bool is_load = kind_of(access.code) == AccessKind::load;
  const unsigned lane_count = same_address && is_load ? std::min(access.count, 2u) : access.count;
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < lane_count; ++i, lanes &= lanes - 1) {
    const unsigned thread = access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
    now.thread = thread & 0x3ff;
    now.sync = sync_taken_[thread] & most_syncs;
    const std::uint32_t begin = access.address(i);
    for (std::uint32_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
      now.bytes = byte_mask(at, bytes) & 0xf;
      function(histories_.of(at), now, at);
    }
  }
}

void RaceDetector::take(const WarpAccess& access) {
  const MemorySpace space = access.space();
  if (space != MemorySpace::global && space != MemorySpace::shared) return;
  const bool is_shared = space == MemorySpace::shared;
  const bool is_load = kind_of(access.code) == AccessKind::load;
  for_each_word(access, [&](WordHistory& word, const AccessRecord& now, std::uint32_t at) {
    if (is_load) {
      take_load(word, now, at, is_shared, access.bytes());
    } else {
      take_store(word, now, at, is_shared, access.bytes());
    }
  });
}

void RaceDetector::take_load(WordHistory& word, const AccessRecord& now, std::uint32_t address,
                             bool is_shared, unsigned bytes) {
  if (word.write.epoch >= launch_begin_ && conflict(word.write, now, is_shared)) {
    add_finding(report::FindingKind::data_race, address, bytes, word.write, now);
  }
  remember_read(word, now, is_shared);
}

/// Keeps readers of two threads, of two warps if possible, and of an earlier block. A write in no
/// order then conflicts with one of them.
void RaceDetector::remember_read(WordHistory& word, const AccessRecord& now, bool is_shared) const {
  if (word.read.epoch != epoch_) {
    if (!is_shared && word.read.epoch < block_begin_) word.old_read = word.read;
    word.read = now;
  } else if (word.read.thread == now.thread) {
    const std::uint32_t bytes = word.read.bytes | now.bytes;
    word.read = now;
    word.read.bytes = bytes & 0xf;
  } else if (word.other_read.epoch != epoch_ || word.other_read.thread == now.thread ||
             word.read.thread / 32 == word.other_read.thread / 32) {
    word.other_read = now;
  }
}

void RaceDetector::take_store(WordHistory& word, const AccessRecord& now, std::uint32_t address,
                              bool is_shared, unsigned bytes) {
  for (const AccessRecord& read : {word.read, word.other_read, word.old_read}) {
    if (read.epoch < launch_begin_ || !conflict(read, now, is_shared)) continue;
    add_finding(report::FindingKind::data_race, address, bytes, read, now);
    return;
  }
}

// --- What is found -------------------------------------------------------------------------------

FindingLog::Party RaceDetector::party(const AccessRecord& record) const {
  return {code_in(record), block_of(record.epoch), record.thread};
}

void RaceDetector::add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                               const AccessRecord& first, const AccessRecord& second) {
  findings_.add_race(kind, address, bytes, party(first), party(second));
}

}  // namespace tilelab::emulator
