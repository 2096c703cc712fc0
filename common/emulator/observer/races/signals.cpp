#include "emulator/observer/races/signals.h"

#include <algorithm>
#include <utility>

namespace tilelab::emulator {
namespace {

constexpr const char* no_fence_before =
    "the later one has seen the other's signal, but the other passed no __threadfence() between "
    "its access and the signal";
constexpr const char* no_fence_before_counter =
    "both blocks update an atomic counter in between, but the earlier one passed no "
    "__threadfence() between its access and the counter, which orders nothing without it";
constexpr const char* not_passed_on =
    "the later one has seen the signal of a third block, which had seen the other's, but passed no "
    "__threadfence() between the two signals";
constexpr const char* no_fence_before_in_block =
    "one thread waits for a signal of the other, but the other passed no __threadfence_block() "
    "between its access and the signal";
constexpr const char* no_fence_after_in_block =
    "one thread has waited for a signal of the other, but passed no __threadfence_block() after it";
constexpr const char* narrow_fence =
    "the later one has seen the other's signal, but the fence before the signal is in the scope of "
    "a block, which other blocks do not see: use __threadfence(), or the scope of the device";
constexpr const char* narrow_signal =
    "the signal between them is an atomic operation in the scope of a block, which other blocks do "
    "not see";
constexpr const char* no_barrier_before =
    "another thread signals that the earlier access is done, with no __syncthreads() before it";
constexpr const char* no_barrier_after =
    "another thread has waited for the signal, and no __syncthreads() follows before the later "
    "access";

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

const char* reason_of(const Signals::Heard& heard, const AccessRecord& earlier,
                      const AccessRecord& now, std::uint32_t interval) {
  const Signals::Signal& signal = heard.signal;
  if (signal.is_of_block || heard.is_of_block) return narrow_signal;
  const bool no_barrier = earlier.epoch >= signal.interval;
  if (no_barrier && earlier.thread != signal.thread) {
    if (heard.is_counted) return "";
    // The thread may have signaled for itself, or met the other one at __syncwarp().
    if (!signal.is_of_several && earlier.thread / 32 != signal.thread / 32)
      return no_barrier_before;
    return signal.device_fence == 0 ? no_fence_before : "";
  }
  const std::uint32_t access = no_barrier ? earlier.sync : 0;
  const bool is_fenced =
      access < signal.device_fence ||
      (!no_barrier && knows(signal.fenced_before_barrier, signal.block, earlier));
  if (!is_fenced && heard.is_counted) return no_fence_before_counter;
  if (!is_fenced) return access < signal.block_fence ? narrow_fence : no_fence_before;
  const bool has_met = heard.interval < interval || now.thread == heard.thread;
  return has_met ? Signals::no_fence_after : no_barrier_after;
}

}  // namespace

void Signals::AllHeard::add(Heard heard) {
  heard.order = ++count_;
  slots_.resize(most);
  slots_[(std::size_t{heard.signal.block} * 33 + heard.thread) % most] = heard;
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

const char* Signals::reason(const AllHeard& all, std::uint32_t block, const AccessRecord& earlier,
                            const AccessRecord& now, std::uint32_t interval) {
  const Heard* last = nullptr;
  for (const Heard& heard : all) {
    if (heard.order == 0 || heard.signal.block != block || is_after(earlier, heard.signal))
      continue;
    // What a thread waits for says more than a counter.
    const auto rank = [](const Heard& it) { return std::pair(!it.is_counted, it.order); };
    if (last == nullptr || rank(heard) > rank(*last)) last = &heard;
  }
  return last != nullptr ? reason_of(*last, earlier, now, interval) : "";
}

const char* Signals::reason_of_third(const AllHeard& all, std::uint32_t block,
                                     const AccessRecord& earlier) {
  for (const Heard& heard : all) {
    if (knows(heard.signal.seen, block, earlier)) return not_passed_on;
  }
  return "";
}

const char* ThreadSignals::reason(const AccessRecord& a, const AccessRecord& b) const {
  // The loads of a block are looked at late, so either may have come first.
  const char* const forward = reason_of(a, b);
  return *forward != '\0' ? forward : reason_of(b, a);
}

const char* ThreadSignals::reason_of(const AccessRecord& earlier, const AccessRecord& now) const {
  const Signal given = of(given_, earlier.thread), waited = of(waited_, now.thread);
  const bool is_between = earlier.sync <= given.time && waited.time <= now.sync;
  if (given.address == 0 || given.address != waited.address || !is_between) return "";
  return earlier.sync < given.fence ? no_fence_after_in_block : no_fence_before_in_block;
}

}  // namespace tilelab::emulator
