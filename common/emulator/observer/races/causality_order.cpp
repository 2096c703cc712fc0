#include "emulator/observer/races/causality_order.h"

#include <algorithm>
#include <utility>

#include "emulator/observer/events/lanes.h"

namespace tilelab::emulator {
namespace {

void raise(std::uint16_t& time, std::uint32_t to) {
  time = std::max(time, static_cast<std::uint16_t>(to));
}

std::span<std::uint16_t, 32> of_warp(std::array<std::uint16_t, 1024>& times, unsigned thread) {
  return std::span<std::uint16_t, 32>(times.data() + thread / 32 * 32, 32);
}

}  // namespace

// --- Time ----------------------------------------------------------------------------------------

void CausalityOrder::begin(std::uint32_t number, std::uint32_t epoch) {
  number_ = number;
  interval_ = epoch_ = epoch;
  narrow_interval_ = 0;
  acquired_.clear();
  seen_.clear();
  fenced_ = {};
  unfenced_ = {};
}

void CausalityOrder::barrier_opens(std::uint32_t epoch) {
  if (any_fence_.device) fenced_.join(fenced_in_interval());
  if (ends_with_narrow_fence()) narrow_interval_ = interval_;
  acquired_.barrier_opens();
  seen_.barrier_opens();
  for (const Scope scope : {Scope::block, Scope::device}) {
    for (const Knowledge& read : read_.of(scope)) unfenced_.of(scope).join(read);
    read_.of(scope).clear();
    if (any_fence_.of(scope)) fences_.of(scope).fill(0);
    any_fence_.of(scope) = false;
  }
  for (auto& points : points_) points.clear();
  now_.fill(0);
  used_fence_.fill(0);
  locks_.clear();
  next_.clear();
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
  for (KnowledgeOverTime* const known : {&acquired_, &seen_}) {
    if (!known->has_news()) continue;
    Knowledge all;
    for_each_thread(warp, lanes, [&](unsigned thread) { all.join(known->now(thread)); });
    for_each_thread(warp, lanes, [&](unsigned thread) { known->add(thread, number, all); });
  }
  for (const Scope scope : {Scope::block, Scope::device}) {
    ByThread& read = read_.of(scope);
    if (read.empty()) continue;
    Knowledge all;
    for_each_thread(warp, lanes, [&](unsigned thread) { all.join(read[thread]); });
    for_each_thread(warp, lanes, [&](unsigned thread) { read[thread] = all; });
  }
}

// --- Strong reads --------------------------------------------------------------------------------

void CausalityOrder::note_read(unsigned thread, const Knowledge& released, Scope scope) {
  ByThread& read = read_.of(scope);
  if (read.empty()) read.resize(most_threads);
  read[thread].join(released);
}

std::uint32_t CausalityOrder::read(unsigned thread, std::uint32_t address, const Released& released,
                                   bool may_take_lock) {
  const auto part = [&](const Released& all) -> const Knowledge& {
    return may_take_lock ? all.for_lock : all.known;
  };
  const auto operation = next_.find(thread);
  const bool acquires = operation != next_.end() && operation->second.order.acquires;
  const bool is_wide = acquires && operation->second.order.scope == Scope::device;
  Knowledge all = part(released), acquired = is_wide ? all : Knowledge{};
  if (!all.is_empty()) note_read(thread, all, Scope::device);
  if (const auto found = in_block_.find(address); found != in_block_.end()) {
    note_read(thread, part(found->second), Scope::block);
    all.join(part(found->second));
    if (acquires) acquired.join(part(found->second));
  }
  if (operation != next_.end()) next_.erase(operation);
  const bool is_news = seen_.is_new(thread, all) || acquired_.is_new(thread, acquired);
  if (!is_news) return 0;
  const std::uint32_t number = pass_point(thread);
  seen_.add(thread, number, all);
  acquired_.add(thread, number, acquired);
  return number;
}

void CausalityOrder::take_lock(unsigned thread, std::uint32_t address) {
  const auto [lock, is_new] = locks_.try_emplace(thread);
  if (!is_new && lock->second.address == address) return;  // it tries again
  lock->second = {address, now_[thread]};
}

bool CausalityOrder::may_hold_open_lock(unsigned thread) const {
  const auto lock = locks_.find(thread);
  return lock != locks_.end() && lock->second.fences.block == 0;
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
  acquired_.add(thread, number, take_read(thread, scope));
  if (const auto lock = locks_.find(thread); lock != locks_.end()) {
    ++lock->second.fences.block;
    if (scope == Scope::device) ++lock->second.fences.device;
  }
  return number;
}

std::uint32_t CausalityOrder::fence_for_all(unsigned thread, Scope scope, std::uint32_t epoch) {
  const std::uint32_t point = fence(thread, scope);
  acquired_.add_for_all(acquired_.now(thread));
  if (scope == Scope::device) {
    fenced_.join(acquired_.now(thread));
    fenced_.join(Knowledge({number_, epoch, epoch, {}}));
  }
  return point;
}

/// Adds what the thread had fenced, and what lanes of its warp had before they met it. Up to which
/// time it knows a lane, the last of their meetings says.
void CausalityOrder::add_fenced(unsigned thread, Scope scope, std::uint32_t fence,
                                std::span<std::uint16_t, 32> lanes) const {
  const Times& fences = fences_.of(scope);
  const unsigned warp = thread / 32;
  raise(lanes[thread % 32], fence);
  std::uint32_t reached = 1u << thread % 32;
  for (std::uint32_t number = now_[thread]; number > 0; --number) {
    const Point& point = points_[warp][number - 1];
    if (!point.is_meeting || (point.lanes & reached) == 0) continue;
    for_each_thread(warp, point.lanes & ~reached, [&](unsigned other) {
      const bool is_before_fence = number <= fence;
      raise(lanes[other % 32],
            is_before_fence ? number : std::min<std::uint32_t>(number, fences[other]));
    });
    reached |= point.lanes;
  }
}

bool CausalityOrder::have_met(unsigned thread) const {
  const std::vector<Point>& points = points_[thread / 32];
  return std::any_of(points.begin(), points.end(),
                     [](const Point& point) { return point.is_meeting; });
}

CausalityOrder::LanesBefore CausalityOrder::lanes_before(unsigned thread) const {
  LanesBefore lanes;
  add_fenced(thread, Scope::block, most_points, lanes.met);
  add_fenced(thread, Scope::block, release_time(thread, Scope::block), lanes.fenced_for_block);
  add_fenced(thread, Scope::device, release_time(thread, Scope::device), lanes.fenced_for_device);
  return lanes;
}

bool CausalityOrder::ends_with_narrow_fence() const {
  return any_fence_.block && fences_.block != fences_.device;
}

bool CausalityOrder::has_narrow_fence(const AccessRecord& access, std::uint32_t after,
                                      std::uint32_t interval) const {
  const unsigned thread = access.thread;
  const std::uint32_t last = fences_.block[thread];
  const bool is_narrow = last > fences_.device[thread] && last <= access.sync;
  return (is_narrow && last > after) || narrow_interval_ >= interval;
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
    add_fenced(thread, Scope::device, fences_.device[thread], of_warp(times, thread));
    all.join(acquired_.at(thread, fences_.device[thread]));
  }
  all.join(of_interval(times, 0, most_threads));
  return all;
}

// --- Strong writes -------------------------------------------------------------------------------

std::uint32_t CausalityOrder::order(unsigned thread, MemoryOrder order) {
  const std::uint32_t number = pass_point(thread);
  next_[thread] = {order, number};
  return number;
}

bool CausalityOrder::has_release_order(unsigned thread) const {
  const auto operation = next_.find(thread);
  return operation != next_.end() && operation->second.order.releases;
}

std::uint32_t CausalityOrder::release_time(unsigned thread, Scope scope) const {
  const auto operation = next_.find(thread);
  const bool releases = operation != next_.end() && operation->second.order.releases &&
                        operation->second.order.scope >= scope;
  return releases ? operation->second.point : fences_.of(scope)[thread];
}

CausalityOrder::Released CausalityOrder::released(const Write& write, Scope scope) const {
  const unsigned thread = write.thread;
  Released all;
  if (scope == Scope::device) all.known = fenced_;
  const std::uint32_t time = release_time(thread, scope);
  if (time == 0 && !any_fence_.of(scope)) return {all.known, all.known};
  Times times{};
  add_fenced(thread, scope, time, of_warp(times, thread));
  if (time != 0) all.known.join(acquired_.at(thread, time));
  all.for_lock = all.known;
  const auto own = [&] { return of_interval(times, thread / 32 * 32, 32); };
  all.known.join(own());
  const auto lock = locks_.find(thread);
  if (lock != locks_.end() && !write.is_swap && lock->second.address == write.address &&
      lock->second.fences.of(scope) == 1) {
    times[thread] =
        static_cast<std::uint16_t>(std::min<std::uint32_t>(times[thread], lock->second.taken));
  }
  all.for_lock.join(own());
  return all;
}

void CausalityOrder::release_in_block(const Write& write) {
  const Released passed_on = released(write, Scope::block);
  if (passed_on.is_empty() && in_block_.empty()) return;
  if (!write.is_atomic) in_block_.erase(write.address);
  if (!passed_on.is_empty()) in_block_[write.address].join(passed_on);
}

void CausalityOrder::wrote(const Write& write) {
  if (!write.is_atomic) next_.erase(write.thread);  // an atomic operation reads as well
  if (write.is_atomic) used_fence_[write.thread] = fences_.block[write.thread];
  const auto lock = locks_.find(write.thread);
  if (lock == locks_.end() || write.is_swap || lock->second.address != write.address) return;
  locks_.erase(lock);
}

// --- Order ---------------------------------------------------------------------------------------

bool CausalityOrder::leads(const Access& earlier, const Access& now) const {
  const bool is_one_warp = earlier.thread / 32 == now.thread / 32;
  // There were more points than a record can count. No finding is better than a false one.
  const bool is_uncertain = earlier.time == most_points || now.time == most_points;
  if (is_uncertain && (is_one_warp || knows_others())) return true;
  return (is_one_warp && meetings_lead(earlier, now)) || knows_in_block(now, earlier);
}

/// Whether a chain of meetings leads from `a` to one that `b` attended before its access.
bool CausalityOrder::meetings_lead(const Access& a, const Access& b) const {
  std::uint32_t reached = 1u << a.thread % 32;
  for (std::uint32_t number = a.time; number < b.time; ++number) {
    const Point& point = points_[a.thread / 32][number];
    if (point.is_meeting && (point.lanes & reached) != 0) reached |= point.lanes;
  }
  return (reached >> b.thread % 32 & 1) != 0;
}

bool CausalityOrder::knows_in_block(const Access& now, const Access& earlier) const {
  return knows(now, number_, interval_, earlier);
}

bool CausalityOrder::knows(const Access& now, std::uint32_t block, std::uint32_t epoch,
                           const Access& earlier) const {
  const auto contains = [&](const Knowledge& known) {
    const KnownOfBlock* const of_block = known.of(block);
    return of_block != nullptr && of_block->contains(epoch, earlier.thread, earlier.time);
  };
  return contains(acquired_.at(now.thread, now.time)) ||
         (now.is_strong && contains(seen_.at(now.thread, now.time)));
}

}  // namespace tilelab::emulator
