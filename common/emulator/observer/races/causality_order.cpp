#include "emulator/observer/races/causality_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilelab::emulator {
namespace {

/// Calls `function(thread)` for every lane of the mask.
template <class Function>
void for_each_thread(unsigned warp, std::uint32_t lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) {
    function(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
  }
}

void raise(std::uint16_t& time, std::uint32_t to) {
  time = std::max(time, static_cast<std::uint16_t>(to));
}

}  // namespace

// --- Time ----------------------------------------------------------------------------------------

void CausalityOrder::begin(std::uint32_t number, std::uint32_t epoch) {
  barrier_opens(epoch);
  number_ = number;
  knows_others_ = false;
  known_ = {};
  fenced_ = {};
  unfenced_ = {};
}

void CausalityOrder::barrier_opens(std::uint32_t epoch) {
  if (any_fence_.device) fenced_.join(fenced_in_interval());
  for (const std::vector<Snapshot>& snapshots : acquired_) {
    if (!snapshots.empty()) known_.join(snapshots.back().known);
  }
  acquired_.clear();
  for (const Scope scope : {Scope::block, Scope::device}) {
    for (const Knowledge& read : read_.of(scope)) unfenced_.of(scope).join(read);
    read_.of(scope).clear();
    if (any_fence_.of(scope)) fences_.of(scope).fill(0);
    any_fence_.of(scope) = false;
  }
  for (auto& points : points_) points.clear();
  now_.fill(0);
  in_block_.clear();
  interval_ = epoch_ = epoch;
}

/// The next point of the thread. Lanes that follow the same path share its number.
std::uint32_t CausalityOrder::pass_point(unsigned thread) {
  auto& points = points_[thread / 32];
  std::uint32_t number = now_[thread] + 1u;
  while (number <= points.size() && points[number - 1].is_meeting) ++number;
  if (number > most_points) number = most_points;
  if (number > points.size()) points.push_back({0, false});
  now_[thread] = static_cast<std::uint16_t>(number);
  return number;
}

// --- Meetings ------------------------------------------------------------------------------------

std::uint32_t CausalityOrder::meet(unsigned warp, std::uint32_t lanes) {
  points_[warp].push_back({lanes, true});
  const auto number = std::min(static_cast<std::uint32_t>(points_[warp].size()), most_points);
  for_each_thread(warp, lanes,
                  [&](unsigned thread) { now_[thread] = static_cast<std::uint16_t>(number); });
  join_lanes(warp, lanes, number);
  return number;
}

/// What one lane knows, all know now.
void CausalityOrder::join_lanes(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  if (!acquired_.empty()) {
    Knowledge all;
    for_each_thread(warp, lanes, [&](unsigned thread) { all.join(known(thread, most_points)); });
    for_each_thread(warp, lanes, [&](unsigned thread) { know_from(thread, number, all); });
  }
  for (const Scope scope : {Scope::block, Scope::device}) {
    ByThread& read = read_.of(scope);
    if (read.empty()) continue;
    Knowledge all;
    for_each_thread(warp, lanes, [&](unsigned thread) { all.join(read[thread]); });
    for_each_thread(warp, lanes, [&](unsigned thread) { read[thread] = all; });
  }
}

// --- What a thread knows -------------------------------------------------------------------------

const Knowledge& CausalityOrder::known(unsigned thread, std::uint32_t time) const {
  if (acquired_.empty()) return known_;
  const auto& snapshots = acquired_[thread];
  const auto next = std::upper_bound(
      snapshots.begin(), snapshots.end(), time,
      [](std::uint32_t wanted, const Snapshot& snapshot) { return wanted < snapshot.from; });
  return next == snapshots.begin() ? known_ : std::prev(next)->known;
}

void CausalityOrder::know_from(unsigned thread, std::uint32_t time, const Knowledge& more) {
  Knowledge all = known(thread, most_points);
  all.join(more);
  if (all.is_same(known(thread, most_points))) return;
  knows_others_ = true;
  if (acquired_.empty()) acquired_.resize(most_threads);
  acquired_[thread].push_back({time, all});
}

void CausalityOrder::read(unsigned thread, const Knowledge& released, Scope scope) {
  ByThread& read = read_.of(scope);
  if (read.empty()) read.resize(most_threads);
  read[thread].join(released);
}

void CausalityOrder::read_in_block(unsigned thread, std::uint32_t address) {
  if (in_block_.empty()) return;
  const auto found = in_block_.find(address);
  if (found != in_block_.end()) read(thread, found->second, Scope::block);
}

/// What the thread has read before a fence.
Knowledge CausalityOrder::take_read(unsigned thread, Scope fence) {
  Knowledge all;
  for (const Scope scope : {Scope::block, Scope::device}) {
    if (scope > fence) break;
    all.join(unfenced_.of(scope));
    if (ByThread& read = read_.of(scope); !read.empty()) all.join(std::exchange(read[thread], {}));
  }
  return all;
}

// --- What a thread has fenced --------------------------------------------------------------------

std::uint32_t CausalityOrder::fence(unsigned thread, Scope scope) {
  const std::uint32_t number = pass_point(thread);
  for (const Scope one : {Scope::block, Scope::device}) {
    if (one > scope) break;
    fences_.of(one)[thread] = static_cast<std::uint16_t>(number);
    any_fence_.of(one) = true;
  }
  know_from(thread, number, take_read(thread, scope));
  return number;
}

std::uint32_t CausalityOrder::fence_for_all(unsigned thread, Scope scope, std::uint32_t epoch) {
  const std::uint32_t point = fence(thread, scope);
  known_.join(known(thread, most_points));
  if (scope == Scope::device) {
    fenced_.join(known_);
    fenced_.join(Knowledge({number_, epoch, epoch, {}}));
  }
  return point;
}

/// Adds what the thread had fenced, and what lanes of its warp had before they met it. Up to which
/// time it knows a lane, the last of their meetings says.
void CausalityOrder::add_fenced(unsigned thread, Scope scope, Times& times) const {
  const Times& fences = fences_.of(scope);
  const unsigned warp = thread / 32;
  raise(times[thread], fences[thread]);
  std::uint32_t reached = 1u << thread % 32;
  for (std::uint32_t number = now_[thread]; number > 0; --number) {
    const Point& point = points_[warp][number - 1];
    if (!point.is_meeting || (point.lanes & reached) == 0) continue;
    for_each_thread(warp, point.lanes & ~reached, [&](unsigned other) {
      const bool is_before_fence = number <= fences[thread];
      raise(times[other],
            is_before_fence ? number : std::min<std::uint32_t>(number, fences[other]));
    });
    reached |= point.lanes;
  }
}

/// What some threads of the block did before these times, as far as they are not 0.
Knowledge CausalityOrder::of_interval(const Times& times, unsigned first, unsigned count) const {
  KnownOfBlock known{number_, interval_, epoch_, {}};
  for (unsigned thread = first; thread < first + count; ++thread) {
    if (times[thread] != 0) {
      known.times.push_back({static_cast<std::uint16_t>(thread), times[thread]});
    }
  }
  return known.times.empty() ? Knowledge{} : Knowledge(std::move(known));
}

Knowledge CausalityOrder::fenced_in_interval() const {
  Times times{};
  Knowledge all;
  for (unsigned thread = 0; thread < most_threads; ++thread) {
    if (fences_.device[thread] == 0) continue;
    add_fenced(thread, Scope::device, times);
    all.join(known(thread, fences_.device[thread]));
  }
  all.join(of_interval(times, 0, most_threads));
  return all;
}

Knowledge CausalityOrder::released(unsigned thread, Scope scope) const {
  Knowledge all;
  if (scope == Scope::device) all = fenced_;
  if (!any_fence_.of(scope)) return all;
  Times times{};
  add_fenced(thread, scope, times);
  all.join(of_interval(times, thread / 32 * 32, 32));
  if (const std::uint32_t fence = fences_.of(scope)[thread]) all.join(known(thread, fence));
  return all;
}

void CausalityOrder::release_in_block(unsigned thread, std::uint32_t address, bool is_atomic) {
  if (!any_fence_.block) return;
  const Knowledge passed_on = released(thread, Scope::block);
  Knowledge& all = in_block_[address];
  if (!is_atomic) all = {};
  all.join(passed_on);
}

// --- Order ---------------------------------------------------------------------------------------

bool CausalityOrder::orders(unsigned a, std::uint32_t time_a, unsigned b,
                            std::uint32_t time_b) const {
  const bool is_one_warp = a / 32 == b / 32;
  // There were more points than a record can count. No finding is better than a false one.
  const bool is_uncertain = time_a == most_points || time_b == most_points;
  if (is_uncertain && (is_one_warp || !acquired_.empty())) return true;
  if (is_one_warp && (meetings_lead(a / 32, a, time_a, b, time_b) ||
                      meetings_lead(a / 32, b, time_b, a, time_a))) {
    return true;
  }
  return knows(a, time_a, b, time_b) || knows(b, time_b, a, time_a);
}

/// Whether a chain of meetings leads from `a` to one that `b` attended before its access.
bool CausalityOrder::meetings_lead(unsigned warp, unsigned a, std::uint32_t time_a, unsigned b,
                                   std::uint32_t time_b) const {
  std::uint32_t reached = 1u << a % 32;
  for (std::uint32_t number = time_a; number < time_b; ++number) {
    const Point& point = points_[warp][number];
    if (point.is_meeting && (point.lanes & reached) != 0) reached |= point.lanes;
  }
  return (reached >> b % 32 & 1) != 0;
}

/// Whether `b` had acquired the access of `a`.
bool CausalityOrder::knows(unsigned a, std::uint32_t time_a, unsigned b,
                           std::uint32_t time_b) const {
  const KnownOfBlock* const own = known(b, time_b).of(number_);
  return own != nullptr && own->contains(interval_, a, time_a);
}

}  // namespace tilelab::emulator
