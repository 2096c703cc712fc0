#include "emulator/observer/races/race_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/events/lanes.h"
#include "emulator/observer/memory/byte_mask.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

constexpr std::uint32_t unknown_site = (1u << 12) - 1;
constexpr std::uint32_t times_per_epoch = 1u << 10;

using Lack = Reason::Lack;

constexpr Reason of_other_scope{
    Lack::scope,
    "an atomic operation in the scope of a block, as those whose names end in _block, is atomic "
    "for its own block only"};
constexpr Reason of_free{Lack::fence,
                         "to free memory is to write all of it, and nothing orders the two"};
constexpr Reason of_other_width{
    Lack::scope,
    "atomic operations and volatile accesses of different widths are not atomic for each other"};

}  // namespace

// --- Time ----------------------------------------------------------------------------------------

void RaceDetector::launch_begins(const KernelCall&, const LaunchConfiguration&) {
  // Records have 28 bits for an epoch. A launch with half as many barriers would take days.
  constexpr std::uint32_t most_epochs = 1u << 27;
  if (epoch_ > most_epochs) {
    histories_.clear();
    epoch_ = 1;
  }
  blocks_.clear();
  begun_blocks_ = 0;
  released_.clear();
  signals_.clear();
  unexplained_.clear();
  met_.clear();
  parked_.clear();
  flags_.clear();
  polled_.clear();
  frees_.clear();
  launch_begin_ = epoch_ + 1;
}

void RaceDetector::block_begins() {
  barrier_opens();
  end_async();
  block_begin_ = epoch_;
  const Cluster* const cluster = Scheduler::instance().cluster();
  block_.index = blockIdx;
  block_.cluster = cluster != nullptr ? cluster->number() : 0;
  block_.was_parked = false;
  block_.heard.clear();
  block_.order.begin(begun_blocks_++, epoch_);
  blocks_.push_back({epoch_, blockIdx, block_.cluster, block_.order.number()});
}

void RaceDetector::block_parks(std::uint64_t number) {
  block_.was_async = async_.is_active();
  end_async();
  block_.taken.park(epoch_);
  parked_[number] = std::exchange(block_, {});
}

void RaceDetector::block_unparks(std::uint64_t number) {
  end_async();
  block_ = std::move(parked_[number]);
  parked_.erase(number);
  block_begin_ = ++epoch_;
  block_.was_parked = true;
  block_.order.resume(epoch_);
  blocks_.push_back({epoch_, block_.index, block_.cluster, block_.order.number()});
  if (block_.was_async) thread_order_begins();
}

void RaceDetector::barrier_opens() {
  report_reads();
  skip_async_epochs();
  async_.barrier_opens();
  ++epoch_;
  block_.order.barrier_opens(epoch_);
  block_.early_conflicts.clear();
  block_.first_writes.clear();
  block_.of_threads.clear();
  block_.taken.clear();
}

void RaceDetector::cluster_barrier_opens() {
  barrier_opens();
  if (block_.cluster != 0) met_[block_.cluster] = epoch_ - 1;
}

/// Records may have counted further than the epoch.
void RaceDetector::skip_async_epochs() {
  if (async_.is_active()) epoch_ += async_.latest_time() / times_per_epoch;
}

void RaceDetector::memory_allocated(const void* pointer, std::size_t bytes) {
  if (!is_kernel_thread()) return;
  const std::uint32_t begin = compress_arena(pointer);
  for (std::uint32_t at = begin; at < begin + bytes; at += 4) {
    histories_.forget(at);
    block_.first_writes.forget_word(at);
  }
}

void RaceDetector::frees(const void* memory, std::size_t bytes, Code code, unsigned thread) {
  frees_.insert(code);
  const std::uint32_t begin = compress_arena(memory);
  const auto size = static_cast<std::uint32_t>(bytes);
  AccessRecord now = record(code, thread, block_.order.now(thread), 0);
  for (std::uint32_t at = begin; at < begin + size; at += 4) {
    WordHistory& word = histories_.of(at);
    now.bytes = byte_mask(at, begin + size - at) & 0xf;
    if (const AccessRecord* const earlier = conflicting_write(word, now, at, false)) {
      add_finding(report::FindingKind::data_race, at, 4, *earlier, now);
    } else {
      take_store(word, now, at, false, 4);
    }
    histories_.write(at, word, now);
  }
}

void RaceDetector::take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  block_.taken.take_point(warp, lanes, number);
}

std::uint32_t RaceDetector::sync(unsigned warp, std::uint32_t lanes) {
  const std::uint32_t number = block_.order.meet(warp, lanes);
  for_each_thread(warp, lanes, [&](unsigned thread) {
    block_.early_point[thread] = static_cast<std::uint16_t>(number);
  });
  return number;
}

bool RaceDetector::hides_write(Event event, unsigned thread) {
  const std::uint32_t address = address_of(event);
  const unsigned bytes = bytes_of(code_of(event));
  const bool is_shared = space_of(address) == MemorySpace::shared;
  for (std::uint32_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
    const WordHistory& word = histories_.of(at);
    // This is asked before each store, and most have no other thread's before them.
    const bool is_old = word.write.epoch < (is_shared ? epoch_ : launch_begin_);
    const bool is_own = word.write.epoch >= epoch_ && word.write.thread == thread;
    if (!word.is_split() && (is_old || is_own)) continue;
    const AccessRecord now =
        record(code_of(event), thread, block_.order.now(thread), byte_mask(at, bytes));
    if (conflicting_write(word, now, at, is_shared) != nullptr) return true;
  }
  return false;
}

void RaceDetector::take_early(unsigned thread, const Event* begin, const Event* end,
                              bool is_first) {
  is_early_ = true;
  std::uint32_t point = is_first ? block_.taken.point(thread) : block_.early_point[thread];
  for (const Event* event = begin; event != end; ++event) {
    const Code code = code_of(*event);
    const std::uint32_t address = address_of(*event);
    if (code == point_mark) point = address;
    if (is_mark(code)) continue;
    const bool is_shared = space_of(address) == MemorySpace::shared;
    if (!is_shared && space_of(address) != MemorySpace::global) continue;
    AccessRecord now = record(code, thread, point, 0);
    const unsigned bytes = bytes_of(code);
    if (kind_of(code) != AccessKind::load) {
      block_.first_writes.add(address, bytes, now);
      continue;
    }
    for (std::uint32_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
      now.bytes = byte_mask(at, bytes) & 0xf;
      take_load(histories_.of(at), now, at, is_shared, bytes);
    }
  }
  block_.early_point[thread] = static_cast<std::uint16_t>(point);
  is_early_ = false;
}

bool RaceDetector::was_written_before(unsigned thread, Code read, std::uint32_t byte) const {
  if (async_.is_active()) return false;  // then logs are taken in the order of what happens
  const AccessRecord* const write = block_.first_writes.of(byte);
  // What the thread itself wrote before the read was put together before.
  if (write == nullptr || write->thread == thread) return false;
  const std::uint32_t point = block_.taken.point(thread) & CausalityOrder::most_points;
  return block_.order.leads(access_in(*write), {thread, point, is_strong(read)});
}

void RaceDetector::take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) {
  block_.taken.take_epoch(warp, lanes, epoch);
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

// --- Fences, and what comes before and after them ------------------------------------------------

std::uint32_t RaceDetector::fence(unsigned thread, Scope scope) {
  if (!async_.is_active()) return block_.order.fence(thread, scope);
  const std::uint32_t next = epoch_ + async_.latest_time() / times_per_epoch + 1;
  return block_.order.fence_for_all(thread, scope, next);
}

/// What the PTX memory model calls strong: other threads may expect the access.
bool RaceDetector::is_strong(Code code) const {
  return kind_of(code) == AccessKind::atomic || is_special(code);
}

/// Whether threads of all blocks may expect it.
bool RaceDetector::is_device_wide(Code code, std::uint32_t address) const {
  return space_of(address) == MemorySpace::global && !of_block_.has(code);
}

std::uint32_t RaceDetector::read_strongly(Event event, unsigned thread,
                                          std::span<const Event> log) {
  const Code code = code_of(event);
  const std::uint32_t address = address_of(event);
  if (!is_strong(code)) return 0;
  hear_signal(code, thread, address, log);
  const bool is_swap = kind_of(code) == AccessKind::atomic && is_special(code);
  if (is_quiet() && !is_swap) return 0;
  if (async_.is_active()) async_.acquire_place(thread, address);
  const auto found = is_device_wide(code, address) ? released_.find(address) : released_.end();
  const CausalityOrder::Released nothing;
  const bool takes_lock = is_swap && block_.failing_swaps.erase(thread) == 0;
  const std::uint32_t read_at = block_.order.read(
      thread, address, found != released_.end() ? found->second : nothing, takes_lock);
  if (takes_lock) block_.order.take_lock(thread, address);
  return async_.is_active() ? 0 : read_at;  // blocks in thread order count time in another way
}

void RaceDetector::give_signal(Code code, unsigned thread, std::uint32_t address) {
  const bool is_atomic = kind_of(code) == AccessKind::atomic;
  if (is_atomic && is_special(code)) return;
  const CausalityOrder& order = block_.order;
  const std::uint32_t fence = order.release_time(thread, Scope::block);
  const bool is_flag = !is_atomic || overwrites_.has(code) || is_polled(address);
  if (is_flag) block_.of_threads.give(thread, address, order.now(thread), fence);
  if (space_of(address) != MemorySpace::global || signals_.are_data()) return;
  using Lanes = CausalityOrder::LanesBefore;
  signals_.give(
      address,
      {order.number(), order.interval(), epoch_, thread, order.now(thread), fence,
       order.release_time(thread, Scope::device), order.fenced_before_barrier(),
       of_block_.has(code), order.seen(thread),
       order.have_met(thread) ? std::make_shared<const Lanes>(order.lanes_before(thread)) : nullptr,
       block_.heard.latest()},
      !is_atomic);
}

void RaceDetector::hear_signal(Code code, unsigned thread, std::uint32_t address,
                               std::span<const Event> log) {
  if (unread_.has(code)) return;
  const bool is_atomic = kind_of(code) == AccessKind::atomic;
  const bool waits = (is_atomic && is_special(code)) || is_polled(address);
  const std::uint32_t time = block_.order.now(thread);
  if (waits) block_.of_threads.wait(thread, address, time);
  if (space_of(address) != MemorySpace::global) return;
  const Signals::Use use = waits       ? Signals::Use::wait
                           : is_atomic ? Signals::Use::count
                                       : Signals::Use::unknown;
  signals_.hear(address, use,
                {{}, address, block_.order.interval(), thread, time, of_block_.has(code)},
                block_.order.number(), block_.heard);
  if (waits && !unexplained_.is_empty()) explain_races(thread, log);
}

/// Another thread of the running block may have used already what this one has waited for.
void RaceDetector::explain_races(unsigned thread, std::span<const Event> log) {
  const CausalityOrder& order = block_.order;
  for (auto& race : unexplained_) {
    if (!race) continue;
    const auto& [one, other] = race->sides;
    const auto& [here, there] =
        one.block == order.number() ? std::tie(one, other) : std::tie(other, one);
    const AccessRecord& access = here.record;
    const bool is_now = here.block == order.number() && access.epoch >= order.interval();
    if (!is_now || access.thread == thread) continue;
    const Signals::Heard* const heard = block_.heard.find(there.block, thread);
    if (heard == nullptr) continue;
    const Reason reason =
        Signals::reason(*heard, there.record, {access, race->address, order, block_.of_threads});
    // It may do the same before it waits. Then the other thread does not rely on it.
    const Code code = code_in(access);
    const bool is_before =
        std::any_of(log.begin(), log.end(), [&](Event event) { return code_of(event) == code; });
    if (!reason.is_of_later_thread() || is_before) continue;
    const auto sides = {side_of(party(one.record)), side_of(party(other.record))};
    findings_.add_race(race->kind, race->address, race->bytes, sides, reason, 0);
    race.reset();
  }
}

void RaceDetector::write_strongly(Code code, unsigned thread, std::uint32_t address) {
  if (!is_strong(code)) return;
  give_signal(code, thread, address);
  if (is_quiet()) return;
  const bool is_atomic = kind_of(code) == AccessKind::atomic;
  const CausalityOrder::Write write{thread, address, is_atomic, is_atomic && is_special(code)};
  CausalityOrder::Released released;
  if (is_device_wide(code, address)) released = block_.order.released(write, Scope::device);
  if (!released.is_empty() || !released_.empty()) pass_on(released, address, is_atomic);
  const bool is_signal =
      block_.order.has_just_fenced(thread) || block_.order.has_release_order(thread);
  if (!is_atomic && is_signal) insert_words(flags_, address, bytes_of(code));
  block_.order.release_in_block(write);
  const bool has_fenced = block_.order.has_fenced(thread);
  if (async_.is_active() && has_fenced) async_.release_place(thread, address);
  block_.order.wrote(write);
}

/// An atomic operation passes on what others have released there, too.
void RaceDetector::pass_on(const CausalityOrder::Released& released, std::uint32_t address,
                           bool is_atomic) {
  if (!is_atomic) released_.erase(address);
  if (!released.is_empty()) released_[address].join(released);
}

// --- What conflicts ------------------------------------------------------------------------------

AccessRecord RaceDetector::record(Code code, unsigned thread, unsigned sync, unsigned bytes) {
  AccessRecord result;
  result.epoch = epoch_;
  result.bytes = bytes & 0xf;
  result.thread = thread & 0x3ff;
  result.site = std::min(sites_.number_of(code), unknown_site) & unknown_site;
  result.sync = sync & CausalityOrder::most_points;
  if (async_.is_active()) {
    const std::uint32_t time = async_.time(thread);
    result.epoch = (epoch_ + time / times_per_epoch) & ((1u << 28) - 1);
    result.sync = time % times_per_epoch;
  }
  return result;
}

Code RaceDetector::code_in(const AccessRecord& record) const {
  return record.site < sites_.size() ? static_cast<Code>(sites_.key(record.site)) : Code{0};
}

AccessKind RaceDetector::kind_in(const AccessRecord& record) const {
  return kind_of(code_in(record));
}

/// Whether the other access, of another block, came after this one: the logs of a block that waits
/// are put together late. What comes later is compared with what was there before.
bool RaceDetector::is_later(const AccessRecord& other, const AccessRecord& now) const {
  if (other.epoch <= now.epoch) return false;
  const BlockBegin* const block = begin_of(other.epoch);
  return block != nullptr && block->number != block_.order.number();
}

bool RaceDetector::is_unordered(const AccessRecord& earlier, const AccessRecord& now) const {
  if (is_later(earlier, now)) return false;
  if (may_share(earlier, now)) return false;
  return earlier.epoch >= epoch_ ? !ordered_in_block(earlier, now)
                                 : !ordered_between_blocks(earlier, now);
}

/// Whether both are atomic operations on the same bytes, each in the scope of the other.
bool RaceDetector::may_share(const AccessRecord& earlier, const AccessRecord& now) const {
  return is_atomic(earlier) && is_atomic(now) && are_in_scope(earlier, now) &&
         are_of_one_width(earlier, now);
}

bool RaceDetector::are_of_one_width(const AccessRecord& earlier, const AccessRecord& now) const {
  return bytes_of(code_in(earlier)) == bytes_of(code_in(now));
}

bool RaceDetector::is_atomic(const AccessRecord& record) const {
  const Code code = code_in(record);
  return kind_of(code) == AccessKind::atomic || (is_special(code) && atomics_.has(code));
}

bool RaceDetector::are_in_scope(const AccessRecord& earlier, const AccessRecord& now) const {
  const bool have_wide_scope = !of_block_.has(code_in(earlier)) && !of_block_.has(code_in(now));
  return have_wide_scope || is_same(block_of(earlier.epoch), block_.index);
}

CausalityOrder::Access RaceDetector::access_in(const AccessRecord& record) const {
  const Code code = code_in(record);
  const bool is_under_open_lock =
      kind_of(code) != AccessKind::load && block_.order.may_hold_open_lock(record.thread);
  return {record.thread, record.sync, is_strong(code) && !is_under_open_lock};
}

/// Whether two accesses between the same two barriers are ordered.
bool RaceDetector::ordered_in_block(const AccessRecord& earlier, const AccessRecord& now) const {
  if (earlier.thread == now.thread) return true;
  if (async_.is_active()) {
    const std::uint32_t time = (earlier.epoch - epoch_) * times_per_epoch + earlier.sync;
    return async_.knows(now.thread, earlier.thread, time);
  }
  return block_.order.orders(access_in(earlier), access_in(now));
}

/// Whether the thread may rely on an access before the last barrier, or of another block.
bool RaceDetector::ordered_between_blocks(const AccessRecord& earlier,
                                          const AccessRecord& now) const {
  if (earlier.epoch < launch_begin_ || earlier.epoch >= block_begin_) return true;
  if (!block_.order.knows_others() && !block_.was_parked && block_.cluster == 0) return false;
  const BlockBegin* block = begin_of(earlier.epoch);
  if (block == nullptr) return false;
  if (block->number == block_.order.number()) {
    return earlier.epoch < block_.order.interval() || async_.is_active() ||
           ordered_in_block(earlier, now);
  }
  if (block_.cluster != 0 && block->cluster == block_.cluster) {
    const auto met = met_.find(block_.cluster);
    if (met != met_.end() && earlier.epoch <= met->second) return true;
  }
  CausalityOrder::Access access = access_in(now);
  if (async_.is_active()) access.time = CausalityOrder::most_points;
  return block_.order.knows(access, block->number, earlier.epoch, access_in(earlier));
}

/// Whether both threads say that they expect the other: they poll a counter that is updated
/// atomically, or a flag that is written after a fence.
bool RaceDetector::is_agreed(const AccessRecord& a, const AccessRecord& b,
                             std::uint32_t address) const {
  const auto is_special_or_atomic = [this](const AccessRecord& record) {
    return kind_in(record) == AccessKind::atomic || is_special(code_in(record));
  };
  if (!is_special_or_atomic(a) || !is_special_or_atomic(b)) return false;
  if (is_atomic(a) && is_atomic(b)) return false;
  if (!are_in_scope(a, b) || !are_of_one_width(a, b)) return false;
  const bool has_store = kind_in(a) == AccessKind::store || kind_in(b) == AccessKind::store;
  if (!has_store || is_polled(address)) return true;
  return kind_in(a) != kind_in(b) && flags_.contains(address / 4);
}

// --- Stores, before they happen ------------------------------------------------------------------

bool RaceDetector::before_store(Event event, unsigned thread, const void* memory) {
  const Code code = code_of(event);
  const std::uint32_t address = address_of(event);
  const bool is_shared = space_of(address) == MemorySpace::shared;
  const unsigned bytes = bytes_of(code);
  write_strongly(code, thread, address);
  AccessRecord now = record(code, thread, block_.order.now(thread), 0);
  for (std::uint32_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
    WordHistory& word = histories_.of(at);
    now.bytes = byte_mask(at, bytes) & 0xf;
    if (async_.is_active()) check_copies(now, at, bytes, true);
    if (const AccessRecord* const earlier = conflicting_write(word, now, at, is_shared)) {
      pending_ = {true, memory, {}, at, bytes, *earlier, now};
      std::memcpy(pending_.before.data(), memory, bytes);
    }
    // A thread's atomic after its own store adds nothing: the store already conflicts with other
    // threads' atomics.
    const bool keeps_store = word.write.epoch >= epoch_ && word.write.thread == thread &&
                             (now.bytes & ~word.write.bytes) == 0 &&
                             kind_of(code) == AccessKind::atomic &&
                             kind_in(word.write) == AccessKind::store;
    if (!keeps_store) histories_.write(at, word, now);
  }
  return pending_.is_pending;
}

const AccessRecord* RaceDetector::conflicting_part(const AccessRecord& now, std::uint32_t address,
                                                   bool is_shared) {
  if (const OtherWrites* const others = histories_.others(address)) {
    for (const AccessRecord& other : *others) {
      if (other.epoch >= launch_begin_ && conflict(other, now, address, is_shared)) return &other;
    }
  }
  return nullptr;
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

/// Which of the active lanes to look at, a bit each. Of neighboring lanes that load from the same
/// address at the same time, these are the first and the last one, or the first two if these are
/// all lanes.
std::uint32_t RaceDetector::lanes_to_take(const WarpAccess& access) const {
  const std::uint32_t all = access.count < 32 ? (1u << access.count) - 1 : ~0u;
  if (kind_of(access.code) != AccessKind::load) return all;
  if (access.is_regular) return access.stride == 0 ? all & 3 : all;
  std::uint32_t like_next = 0;
  for (unsigned i = 0; i + 1 < access.count; ++i) {
    like_next |= std::uint32_t{access.addresses[i] == access.addresses[i + 1]} << i;
  }
  if (like_next != 0) like_next &= block_.taken.like_next(access.warp, access.lanes);
  return all & ~(like_next & like_next << 1);
}

void RaceDetector::take(const WarpAccess& access) {
  const MemorySpace space = access.space();
  if (space != MemorySpace::global && space != MemorySpace::shared) return;
  const bool is_shared = space == MemorySpace::shared;
  const bool is_load = kind_of(access.code) == AccessKind::load;
  const bool compares = kind_of(access.code) == AccessKind::atomic && is_special(access.code);
  const unsigned bytes = access.bytes();
  AccessRecord now = record(access.code, 0, 0, 0);
  std::uint32_t lanes = access.lanes;
  std::uint32_t wanted = lanes_to_take(access);
  for (unsigned i = 0; wanted != 0; ++i, wanted >>= 1, lanes &= lanes - 1) {
    if ((wanted & 1) == 0) continue;
    const unsigned thread = access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t begin = access.address(i);
    for (std::uint32_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
      WordHistory& word = histories_.of(at);
      if (is_load && adds_nothing(word, thread, is_shared)) continue;
      now.thread = thread & 0x3ff;
      now.sync = block_.taken.point(thread) & CausalityOrder::most_points;
      now.epoch = block_.taken.epoch(thread, epoch_) & ((1u << 28) - 1);
      now.bytes = byte_mask(at, bytes) & 0xf;
      if (compares) forgive_reads(word, now, at);
      if (is_load) {
        take_load(word, now, at, is_shared, bytes);
      } else {
        take_store(word, now, at, is_shared, bytes);
      }
    }
  }
}

/// Whether the load is like most: no write of the word can conflict with it, and threads of two
/// warps, not this one, are remembered for having read it.
bool RaceDetector::adds_nothing(const WordHistory& word, unsigned thread, bool is_shared) const {
  const std::uint32_t first_unordered = is_shared ? epoch_ : launch_begin_;
  return word.read.epoch >= epoch_ && word.other_read.epoch >= epoch_ &&
         word.read.thread / 32 != word.other_read.thread / 32 && word.read.thread != thread &&
         word.other_read.thread != thread && word.write.epoch < first_unordered && !word.is_split();
}

void RaceDetector::take_load(WordHistory& word, const AccessRecord& now, std::uint32_t address,
                             bool is_shared, unsigned bytes) {
  const AccessRecord* const write = word.write.epoch >= launch_begin_
                                        ? conflicting_write(word, now, address, is_shared)
                                        : nullptr;
  if (write != nullptr && is_news(*write, now, address)) {
    if (kind_in(*write) == AccessKind::atomic) {
      doubt({now.thread, address, bytes, *write, now});
    } else {
      add_finding(report::FindingKind::data_race, address, bytes, *write, now);
    }
  }
  remember_read(word, now, is_shared);
}

/// Whether a conflict was not found early, or is found early now.
bool RaceDetector::is_news(const AccessRecord& write, const AccessRecord& load,
                           std::uint32_t address) {
  auto& early = block_.early_conflicts;
  if (!is_early_ && early.empty()) return true;
  const std::uint64_t threads = write.thread << 10 | load.thread;
  const std::uint64_t sites = write.site << 12 | load.site;
  const std::uint64_t key = (sites << 20 | threads) ^ std::uint64_t{address} << 32;
  if (is_early_) {
    // Of more, some count twice.
    constexpr std::size_t most_kept = 1 << 16;
    if (early.size() < most_kept) ++early[key];
    return true;
  }
  const auto found = early.find(key);
  if (found == early.end()) return true;
  if (--found->second == 0) early.erase(found);
  return false;
}

/// Keeps readers of two threads, of two warps if possible, and of an earlier block. A write in no
/// order then conflicts with one of them.
void RaceDetector::remember_read(WordHistory& word, const AccessRecord& now, bool is_shared) const {
  if (async_.is_active() && word.read.epoch >= epoch_) {
    remember_async_read(word, now);
  } else if (word.read.epoch < epoch_) {
    if (!is_shared && word.read.epoch < block_begin_) word.old_read = word.read;
    word.read = now;
  } else if (word.read.thread == now.thread) {
    const std::uint32_t left = word.read.bytes & ~now.bytes;
    const bool is_at_once = are_at_once(word.read, now);
    const bool has_room = word.other_read.epoch < epoch_ || word.other_read.thread == now.thread;
    if (left != 0 && !is_at_once && has_room) word.other_read = word.read;
    word.read = now;
    if (is_at_once) word.read.bytes = (left | now.bytes) & 0xf;
  } else if (word.other_read.epoch < epoch_ || word.other_read.thread == now.thread ||
             word.read.thread / 32 == word.other_read.thread / 32) {
    word.other_read = now;
  }
}

void RaceDetector::take_store(WordHistory& word, const AccessRecord& now, std::uint32_t address,
                              bool is_shared, unsigned bytes) {
  for (const AccessRecord& read : {word.read, word.other_read, word.old_read}) {
    if (read.epoch < launch_begin_ || !conflict(read, now, address, is_shared)) continue;
    if (kind_in(now) == AccessKind::atomic && read.epoch >= epoch_) {
      doubt({read.thread, address, bytes, read, now});
      continue;
    }
    add_finding(report::FindingKind::data_race, address, bytes, read, now);
    return;
  }
}

/// A thread that reads a place plainly and then compares and swaps it does not rely on what it
/// read: if another thread was faster, it tries again.
void RaceDetector::forgive_reads(WordHistory& word, const AccessRecord& now,
                                 std::uint32_t address) {
  for (AccessRecord* const read : {&word.read, &word.other_read}) {
    if (read->epoch >= epoch_ && read->thread == now.thread) *read = {};
  }
  std::erase_if(block_.doubtful_reads, [&](const DoubtfulRead& doubtful) {
    return doubtful.thread == now.thread && doubtful.address == address;
  });
}

void RaceDetector::doubt(const DoubtfulRead& read) {
  constexpr std::size_t most_reads = 1024;
  if (block_.doubtful_reads.size() >= most_reads) report_reads();
  block_.doubtful_reads.push_back(read);
}

void RaceDetector::report_reads() {
  for (const DoubtfulRead& read : block_.doubtful_reads) {
    add_finding(report::FindingKind::data_race, read.address, read.bytes, read.first, read.second);
  }
  block_.doubtful_reads.clear();
}

// --- What is found -------------------------------------------------------------------------------

Party RaceDetector::party(const AccessRecord& record) const {
  return {code_in(record), block_of(record.epoch), record.thread};
}

/// Why the two are not ordered, if there is more to say than that they are not.
Reason RaceDetector::reason_for(const AccessRecord& earlier, const AccessRecord& now,
                                std::uint32_t address) const {
  const Reason reason = reason_in_order(earlier, now, address);
  const bool is_free = frees_.contains(code_in(earlier)) || frees_.contains(code_in(now));
  return is_free && !reason.is_known() ? of_free : reason;
}

Reason RaceDetector::reason_in_order(const AccessRecord& earlier, const AccessRecord& now,
                                     std::uint32_t address) const {
  const bool are_strong = is_strong(code_in(earlier)) && is_strong(code_in(now));
  if (are_strong && are_in_scope(earlier, now) && !are_of_one_width(earlier, now)) {
    return of_other_width;
  }
  if (is_atomic(earlier) && is_atomic(now)) return of_other_scope;
  if (async_.is_active() || earlier.epoch < launch_begin_) return {};
  const BlockBegin* const block = begin_of(earlier.epoch);
  if (block == nullptr) return {};
  const Signals::Now with_order{now, address, block_.order, block_.of_threads};
  CausalityOrder::Access with_what_it_saw = access_in(now);
  with_what_it_saw.is_strong = true;
  const bool has_seen =
      block_.order.knows(with_what_it_saw, block->number, earlier.epoch, access_in(earlier));
  if (block->number == block_.order.number()) {
    return has_seen ? Signals::reason_of_seen(with_order)
                    : block_.of_threads.reason(earlier, now, address);
  }
  const Reason of_signal = Signals::reason(block_.heard, block->number, earlier, with_order);
  if (of_signal.is_known()) return of_signal;
  return has_seen ? Signals::reason_of_seen(with_order)
                  : Signals::reason_of_third(block_.heard, block->number, earlier);
}

void RaceDetector::add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                               const AccessRecord& first, const AccessRecord& second) {
  const Reason reason = reason_for(first, second, address);
  findings_.add_race(kind, address, bytes, {side_of(party(first)), side_of(party(second))}, reason);
  const BlockBegin* const block = begin_of(first.epoch);
  const std::uint32_t number = block_.order.number();
  const bool may_wait = !async_.is_active() && reason.lack < Lack::barrier_after;
  if (block == nullptr || block->number == number || !may_wait) return;
  unexplained_.add({kind, address, bytes, {{{first, block->number}, {second, number}}}});
}

void RaceDetector::add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                               const Party& first, const Party& second, const char* explanation) {
  findings_.add(kind, address, bytes, {side_of(first), side_of(second)}, explanation);
}

}  // namespace tilelab::emulator
