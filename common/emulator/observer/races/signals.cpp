#include "emulator/observer/races/signals.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilelab::emulator {
namespace {

using Lack = Reason::Lack;

constexpr Reason no_fence_before{
    Lack::fence,
    "the later one has seen the other's signal, but the other passed no __threadfence() between "
    "its access and the signal"};
constexpr Reason no_fence_before_counter{
    Lack::fence,
    "both blocks update an atomic counter in between, but the earlier one passed no "
    "__threadfence() between its access and the counter, which orders nothing without it"};
constexpr Reason narrow_fence_before{
    Lack::fence,
    "the later one has seen the other's signal, but the fence before the signal is in the scope of "
    "a block, which other blocks do not see: use __threadfence(), or the scope of the device"};
constexpr Reason no_fence_after{
    Lack::fence,
    "the later one has seen the other's signal, but passed no __threadfence() after it"};
constexpr Reason narrow_fence_after{
    Lack::fence,
    "the later one has seen the other's signal, but its fence after the signal is in the scope of "
    "a block, which is not enough between blocks: use __threadfence(), or the scope of the device"};
constexpr Reason not_passed_on{
    Lack::fence,
    "the later one has seen the signal of a third block, which had seen the other's, but passed no "
    "__threadfence() between the two signals"};
constexpr Reason passed_on_narrowly{
    Lack::fence,
    "the later one has seen the signal of a third block, which had seen the other's, but the third "
    "block's fence between the two signals is in the scope of a block, which other blocks do not "
    "see: use __threadfence(), or the scope of the device"};
constexpr Reason no_fence_before_third{
    Lack::fence,
    "the later one has seen the signal of a third block, which had seen the other's, but the other "
    "passed no __threadfence() between its access and its signal"};
constexpr Reason narrow_fence_before_third{
    Lack::fence,
    "the later one has seen the signal of a third block, which had seen the other's, but the fence "
    "before the other's signal is in the scope of a block, which other blocks do not see: use "
    "__threadfence(), or the scope of the device"};
constexpr Reason no_fence_before_in_block{
    Lack::fence,
    "one thread waits for a signal of the other, but the other passed no __threadfence_block() "
    "between its access and the signal"};
constexpr Reason no_fence_after_in_block{
    Lack::fence,
    "one thread has waited for a signal of the other, but passed no __threadfence_block() after "
    "it"};
constexpr Reason narrow_signal{
    Lack::scope,
    "the signal between them is an atomic operation in the scope of a block, which other blocks do "
    "not see"};
constexpr Reason no_lanes_before{
    Lack::lanes_before,
    "another lane of its warp signals that the earlier access is done, with no __syncwarp() before "
    "it"};
constexpr Reason no_lanes_after{
    Lack::lanes_after,
    "another lane of its warp has waited for the signal, and no __syncwarp() follows before the "
    "later access"};
constexpr Reason no_barrier_before{
    Lack::barrier_before,
    "another thread signals that the earlier access is done, with no __syncthreads() before it"};
constexpr Reason no_barrier_after{
    Lack::barrier_after,
    "another thread has waited for the signal, and no __syncthreads() follows before the later "
    "access"};

/// Whether the access, of the signal's block, surely came after the signal.
bool is_after(const AccessRecord& access, const Signals::Signal& signal) {
  return access.epoch > signal.epoch ||
         (access.epoch >= signal.interval && access.thread == signal.thread &&
          access.sync > signal.time);
}

bool knows(const Knowledge& knowledge, std::uint32_t block, const AccessRecord& access) {
  const KnownOfBlock* const known = knowledge.of(block);
  return known != nullptr && known->contains(access.epoch, access.thread, access.sync);
}

bool are_of_one_warp(unsigned thread, unsigned other) { return thread / 32 == other / 32; }

/// When the earlier access was made, and up to which time the signal says that such are done: all
/// of its thread, and what others of the warp had done when they met that.
struct Said {
  std::uint32_t access = 0;
  std::uint32_t done = 0;
  std::uint32_t fenced_for_block = 0;
  std::uint32_t fenced_for_device = 0;
};
Said said_of(const AccessRecord& earlier, const Signals::Signal& signal) {
  if (earlier.epoch < signal.interval) return {0, 1, signal.block_fence, signal.device_fence};
  if (earlier.thread == signal.thread) {
    return {earlier.sync, signal.time + 1, signal.block_fence, signal.device_fence};
  }
  if (!are_of_one_warp(earlier.thread, signal.thread) || signal.lanes == nullptr) return {};
  const unsigned lane = earlier.thread % 32;
  const CausalityOrder::LanesBefore& lanes = *signal.lanes;
  return {earlier.sync, lanes.met[lane], lanes.fenced_for_block[lane],
          lanes.fenced_for_device[lane]};
}

/// Why the signal of a thread that has not met the one of the access does not speak for that.
Reason reason_of_other_thread(const Signals::Heard& heard, const AccessRecord& earlier) {
  const Signals::Signal& signal = heard.signal;
  if (heard.is_counted) return {};
  const bool is_of_warp = are_of_one_warp(earlier.thread, signal.thread);
  // With several threads, each may have signaled for itself.
  if (!is_of_warp && !signal.is_of_several) return no_barrier_before;
  if (signal.device_fence != 0) return signal.is_of_several ? Reason{} : no_lanes_before;
  return signal.block_fence != 0 ? narrow_fence_before : no_fence_before;
}

/// Why the signal does not say that the earlier access is done; nothing if it does.
std::optional<Reason> reason_before(const Signals::Heard& heard, const AccessRecord& earlier) {
  const Signals::Signal& signal = heard.signal;
  if (signal.is_of_block || heard.is_of_block) return narrow_signal;
  const Said said = said_of(earlier, signal);
  if (said.access >= said.done) return reason_of_other_thread(heard, earlier);
  const bool is_fenced = said.access < said.fenced_for_device ||
                         (earlier.epoch < signal.interval &&
                          knows(signal.fenced_before_barrier, signal.block, earlier));
  if (is_fenced) return {};
  if (heard.is_counted) return no_fence_before_counter;
  return said.access < said.fenced_for_block ? narrow_fence_before : no_fence_before;
}

/// The same where a third block has heard the signal.
Reason seen_by_third(const Reason& reason) {
  if (reason.sentence == no_fence_before.sentence) return no_fence_before_third;
  if (reason.sentence == narrow_fence_before.sentence) return narrow_fence_before_third;
  return reason;
}

/// Why the block of the signal does not pass on what it had heard before.
Reason reason_of_passing(const Signals::Heard& before, const Signals::Signal& signal) {
  const bool is_now = before.interval == signal.interval;
  const std::uint32_t heard = is_now && before.thread == signal.thread ? before.time : 0;
  return signal.block_fence > heard && signal.device_fence <= heard ? passed_on_narrowly
                                                                    : not_passed_on;
}

/// Whether a thread of the block heard it after the access.
bool is_later(const Signals::Heard& heard, const Signals::Now& now) {
  return heard.interval == now.order.interval() && heard.thread == now.access.thread &&
         heard.time > now.access.sync;
}

}  // namespace

void Signals::AllHeard::add(Heard heard) {
  heard.order = ++count_;
  slots_.resize(most);
  Heard& slot = slots_[slot_of(heard.signal.block, heard.thread)];
  const Signal &old = slot.signal, &now = heard.signal;
  const bool is_known = slot.order != 0 && old.block == now.block && old.thread == now.thread &&
                        old.epoch == now.epoch && old.time == now.time;
  if (!is_known || slot.thread != heard.thread) add_latest(heard);
  slot = std::move(heard);
}

void Signals::AllHeard::add_latest(Heard heard) {
  heard.signal.heard_before = nullptr;
  if (latest_.size() >= most_latest) latest_.erase(latest_.begin());
  latest_.push_back(std::move(heard));
  shared_latest_ = nullptr;
}

Signals::HeardBefore Signals::AllHeard::latest() {
  if (shared_latest_ == nullptr && !latest_.empty()) {
    shared_latest_ = std::make_shared<const std::vector<Heard>>(latest_);
  }
  return shared_latest_;
}

const Signals::Heard* Signals::AllHeard::find(std::uint32_t block, unsigned thread) const {
  if (slots_.empty()) return nullptr;
  const Heard& slot = slots_[slot_of(block, thread)];
  return slot.order != 0 && slot.signal.block == block && slot.thread == thread ? &slot : nullptr;
}

void Signals::clear() {
  places_.clear();
  are_data_ = false;
}

void Signals::give(std::uint32_t address, Signal signal, bool is_store) {
  std::vector<Signal>& given = places_[address];
  std::erase_if(given, [&](const Signal& it) {
    if (it.block != signal.block) return false;
    signal.is_of_several |= it.is_of_several || it.thread != signal.thread;
    return true;
  });
  if (is_store) given.clear();
  if (given.size() >= most_blocks) given.erase(given.begin());
  given.push_back(std::move(signal));
  if (places_.size() <= most_places) return;
  clear();
  are_data_ = true;
}

void Signals::hear(std::uint32_t address, Use use, Heard heard, std::uint32_t block,
                   AllHeard& all) const {
  const auto given = places_.find(address);
  if (given == places_.end()) return;
  for (const Signal& signal : given->second) {
    // Without a fence, and if nobody waits for it, it may be anything, but a counter.
    const bool is_sure = use == Use::wait || signal.block_fence != 0;
    if (signal.block == block || (!is_sure && use == Use::unknown)) continue;
    heard.signal = signal;
    heard.is_counted = !is_sure;
    if (heard.is_counted && all.are_many()) return;  // the counter is data, most likely
    all.add(heard);
  }
}

Reason Signals::reason(const AllHeard& all, std::uint32_t block, const AccessRecord& earlier,
                       const Now& now) {
  const Heard* last = nullptr;
  for (const Heard& heard : all) {
    if (heard.order == 0 || heard.signal.block != block) continue;
    // No fence helps where the signal itself is not set up.
    if (heard.address / 4 == now.address / 4) continue;
    if (is_after(earlier, heard.signal) || is_later(heard, now)) continue;
    // What a thread waits for says more than a counter.
    const auto rank = [](const Heard& it) { return std::pair(!it.is_counted, it.order); };
    if (last == nullptr || rank(heard) > rank(*last)) last = &heard;
  }
  return last != nullptr ? reason(*last, earlier, now) : Reason{};
}

Reason Signals::reason(const Heard& heard, const AccessRecord& earlier, const Now& now) {
  if (is_after(earlier, heard.signal)) return {};
  if (const auto before = reason_before(heard, earlier)) return *before;
  const bool is_earlier = heard.interval < now.order.interval();
  const AccessRecord& access = now.access;
  const bool is_of_warp = are_of_one_warp(access.thread, heard.thread);
  const bool has_met =
      is_earlier || access.thread == heard.thread || now.waits.has_waited(access, heard.address) ||
      (is_of_warp && now.order.leads({heard.thread, heard.time}, {access.thread, access.sync}));
  if (!has_met) return is_of_warp ? no_lanes_after : no_barrier_after;
  const std::uint32_t after = access.thread == heard.thread && !is_earlier ? heard.time : 0;
  return now.order.has_narrow_fence(access, after, heard.interval) ? narrow_fence_after
                                                                   : no_fence_after;
}

Reason Signals::reason_of_third(const AllHeard& all, std::uint32_t block,
                                const AccessRecord& earlier) {
  for (const Heard& heard : all) {
    const Signal& signal = heard.signal;
    if (heard.order == 0 || signal.heard_before == nullptr) continue;
    for (const Heard& before : *signal.heard_before) {
      if (before.signal.block != block || is_after(earlier, before.signal)) continue;
      const auto reason = reason_before(before, earlier);
      return reason ? seen_by_third(*reason) : reason_of_passing(before, signal);
    }
    if (knows(signal.seen, block, earlier)) return not_passed_on;
  }
  return {};
}

Reason Signals::reason_of_seen(const Now& now) {
  return now.order.has_narrow_fence(now.access, 0, 1) ? narrow_fence_after : no_fence_after;
}

Reason ThreadSignals::reason(const AccessRecord& a, const AccessRecord& b,
                             std::uint32_t address) const {
  // The loads of a block are looked at late, so either may have come first.
  const Reason forward = reason_of(a, b, address);
  return forward.is_known() ? forward : reason_of(b, a, address);
}

Reason ThreadSignals::reason_of(const AccessRecord& earlier, const AccessRecord& now,
                                std::uint32_t address) const {
  const Signal given = of(given_, earlier.thread), waited = of(waited_, now.thread);
  const bool is_between = earlier.sync <= given.time && waited.time <= now.sync;
  if (given.address == 0 || given.address != waited.address || !is_between) return {};
  // No fence helps where the signal itself is not set up.
  if (given.address / 4 == address / 4) return {};
  return earlier.sync < given.fence ? no_fence_after_in_block : no_fence_before_in_block;
}

}  // namespace tilelab::emulator
