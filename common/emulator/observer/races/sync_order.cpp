#include "emulator/observer/races/sync_order.h"

#include <algorithm>
#include <bit>

namespace tilelab::emulator {
namespace {

constexpr std::size_t most_threads = 1024;

/// Calls `function(thread)` for every lane of the mask.
template <class Function>
void for_each_thread(unsigned warp, std::uint32_t lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) {
    function(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
  }
}

}  // namespace

void SyncOrder::clear() {
  for (auto& points : points_) points.clear();
  now_.fill(0);
  fence_of_.fill(0);
  released_.clear();
  acquired_.clear();
}

// --- Clocks --------------------------------------------------------------------------------------

void SyncOrder::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void SyncOrder::raise(Clock& clock, unsigned thread, std::uint32_t time) {
  if (clock.size() <= thread) clock.resize(thread + 1);
  clock[thread] = std::max(clock[thread], static_cast<std::uint16_t>(time));
}

/// What the thread had acquired at that time; null for nothing.
const SyncOrder::Clock* SyncOrder::clock_at(unsigned thread, std::uint32_t time) const {
  if (acquired_.empty()) return nullptr;
  const auto& snapshots = acquired_[thread];
  const auto next = std::upper_bound(
      snapshots.begin(), snapshots.end(), time,
      [](std::uint32_t wanted, const Snapshot& snapshot) { return wanted < snapshot.from; });
  return next == snapshots.begin() ? nullptr : &std::prev(next)->clock;
}

/// Adds what the thread knows of its own warp, as far as fences came after it.
void SyncOrder::add_warp(Clock& clock, unsigned thread) const {
  const unsigned warp = thread / 32;
  raise(clock, thread, fence_of_[thread]);
  std::uint32_t reached = 1u << thread % 32;
  for (std::uint32_t number = now_[thread]; number > 0; --number) {
    const Point& point = points_[warp][number - 1];
    if (!point.is_meeting || (point.lanes & reached) == 0) continue;
    for_each_thread(warp, point.lanes & ~reached, [&](unsigned other) {
      raise(clock, other, number <= fence_of_[thread] ? number : fence_of_[other]);
    });
    reached |= point.lanes;
  }
}

// --- Points --------------------------------------------------------------------------------------

/// The next point of the thread. Lanes that follow the same path share its number.
std::uint32_t SyncOrder::pass_point(unsigned thread) {
  auto& points = points_[thread / 32];
  std::uint32_t number = now_[thread] + 1u;
  while (number <= points.size() && points[number - 1].is_meeting) ++number;
  if (number > most_points) number = most_points;
  if (number > points.size()) points.push_back({0, false});
  now_[thread] = static_cast<std::uint16_t>(number);
  return number;
}

std::uint32_t SyncOrder::meet(unsigned warp, std::uint32_t lanes) {
  points_[warp].push_back({lanes, true});
  const auto number = std::min(static_cast<std::uint32_t>(points_[warp].size()), most_points);
  for_each_thread(warp, lanes,
                  [&](unsigned thread) { now_[thread] = static_cast<std::uint16_t>(number); });
  if (!acquired_.empty()) join_clocks(warp, lanes, number);
  return number;
}

void SyncOrder::join_clocks(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  Clock all;
  for_each_thread(warp, lanes, [&](unsigned thread) {
    if (const Clock* clock = clock_at(thread, most_points)) join(all, *clock);
  });
  if (all.empty()) return;
  for_each_thread(warp, lanes, [&](unsigned thread) {
    acquired_[thread].push_back({number, all});
  });
}

std::uint32_t SyncOrder::fence(unsigned thread) {
  const std::uint32_t number = pass_point(thread);
  fence_of_[thread] = static_cast<std::uint16_t>(number);
  return number;
}

void SyncOrder::release(unsigned thread, std::uint32_t address) {
  if (!has_fenced(thread)) return;
  Clock& clock = released_[address];
  if (const Clock* own = clock_at(thread, most_points)) join(clock, *own);
  add_warp(clock, thread);
}

std::uint32_t SyncOrder::acquire(unsigned thread, std::uint32_t address) {
  if (released_.empty()) return 0;
  const auto found = released_.find(address);
  if (found == released_.end()) return 0;
  if (acquired_.empty()) acquired_.resize(most_threads);
  Clock clock = found->second;
  if (thread < clock.size()) clock[thread] = 0;  // it knows its own accesses
  const Clock* const own = clock_at(thread, most_points);
  if (own != nullptr) join(clock, *own);
  const bool is_old =
      own != nullptr ? clock == *own
                     : std::all_of(clock.begin(), clock.end(), [](auto time) { return time == 0; });
  if (is_old) return 0;
  const std::uint32_t number = pass_point(thread);
  acquired_[thread].push_back({number, std::move(clock)});
  return number;
}

// --- Order ---------------------------------------------------------------------------------------

bool SyncOrder::orders(unsigned a, std::uint32_t time_a, unsigned b, std::uint32_t time_b) const {
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
bool SyncOrder::meetings_lead(unsigned warp, unsigned a, std::uint32_t time_a, unsigned b,
                              std::uint32_t time_b) const {
  std::uint32_t reached = 1u << a % 32;
  for (std::uint32_t number = time_a; number < time_b; ++number) {
    const Point& point = points_[warp][number];
    if (point.is_meeting && (point.lanes & reached) != 0) reached |= point.lanes;
  }
  return (reached >> b % 32 & 1) != 0;
}

/// Whether `b` had acquired the access of `a`.
bool SyncOrder::knows(unsigned a, std::uint32_t time_a, unsigned b, std::uint32_t time_b) const {
  const Clock* const clock = clock_at(b, time_b);
  return clock != nullptr && a < clock->size() && (*clock)[a] > time_a;
}

}  // namespace tilelab::emulator
