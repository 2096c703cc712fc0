#include "emulator/observer/races/async_order.h"

#include <algorithm>
#include <iterator>

namespace tilelab::emulator {
namespace {

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

void insert(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (place == sorted.end() || *place != value) sorted.insert(place, value);
}

void insert_all(std::vector<std::uint32_t>& sorted, const std::vector<std::uint32_t>& more) {
  if (more.empty()) return;
  std::vector<std::uint32_t> both;
  std::set_union(sorted.begin(), sorted.end(), more.begin(), more.end(), std::back_inserter(both));
  sorted.swap(both);
}

}  // namespace

void AsyncOrder::block_begins() {
  threads_ = 0;
  live_.clear();
  phases_.clear();
  places_.clear();
  initialized_.clear();
}

void AsyncOrder::begin(unsigned threads, std::span<const std::uint16_t> times) {
  threads_ = threads;
  times_.assign(times.begin(), times.begin() + threads);
  batches_.assign(threads, {});
  known_.assign(std::size_t{threads} * threads, 0);
  // Lanes of a warp may have met before. That they all met is a guess, which finds too little
  // rather than too much.
  for (unsigned thread = 0; thread < threads; ++thread) {
    const unsigned first = thread / 32 * 32;
    for (unsigned other = first; other < std::min(first + 32, threads); ++other) {
      known_by(thread)[other] = times_[other];
    }
  }
}

void AsyncOrder::barrier_opens() {
  if (!is_active()) return;
  ++interval_;
  // What one thread knows of copies, all know now.
  Batches known;
  for (const Batches& batches : batches_) insert_all(known, batches);
  std::erase_if(live_, [&](Batch batch) { return contains(known, batch); });
  for (Batches& batches : batches_) batches.clear();
  std::fill(times_.begin(), times_.end(), 0);
  std::fill(known_.begin(), known_.end(), 0);
}

std::uint32_t AsyncOrder::latest_time() const {
  return times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end());
}

bool AsyncOrder::knows_batch(unsigned thread, Batch batch) const {
  return !contains(live_, batch) || contains(batches_[thread], batch);
}

void AsyncOrder::begin_batch(Batch batch) {
  if (contains(live_, batch)) return;
  insert(live_, batch);
  if (live_.size() > most_live_) forget_batches_that_all_know();
}

void AsyncOrder::forget_batches_that_all_know() {
  Batches common = batches_[0];
  for (const Batches& batches : batches_) {
    Batches both;
    std::set_intersection(common.begin(), common.end(), batches.begin(), batches.end(),
                          std::back_inserter(both));
    common.swap(both);
  }
  const auto is_common = [&](Batch batch) { return contains(common, batch); };
  std::erase_if(live_, is_common);
  for (Batches& batches : batches_) std::erase_if(batches, is_common);
  most_live_ = std::max<std::size_t>(64, 2 * live_.size());
}

void AsyncOrder::learn_batch(unsigned thread, Batch batch) {
  if (contains(live_, batch)) insert(batches_[thread], batch);
}

void AsyncOrder::release(unsigned thread, Message& message) {
  if (message.interval != interval_) message.known.assign(threads_, 0);
  message.interval = interval_;
  const auto known = known_by(thread);
  for (unsigned other = 0; other < threads_; ++other) {
    message.known[other] = std::max(message.known[other], known[other]);
  }
  message.known[thread] = ++times_[thread];
  insert_all(message.batches, batches_[thread]);
}

void AsyncOrder::acquire(unsigned thread, const Message& message) {
  insert_all(batches_[thread], message.batches);
  if (message.interval != interval_) return;  // a barrier of the block has come since
  const auto known = known_by(thread);
  for (unsigned other = 0; other < threads_; ++other) {
    known[other] = std::max(known[other], message.known[other]);
  }
}

void AsyncOrder::meet(std::span<const unsigned> threads) {
  Message message;
  for (const unsigned thread : threads) release(thread, message);
  for (const unsigned thread : threads) acquire(thread, message);
}

void AsyncOrder::release_place(unsigned thread, std::uint32_t address) {
  release(thread, places_[address]);
}

void AsyncOrder::acquire_place(unsigned thread, std::uint32_t address) {
  if (const auto found = places_.find(address); found != places_.end()) {
    acquire(thread, found->second);
  }
}

void AsyncOrder::initialize(const void* barrier, unsigned thread) {
  initialized_[barrier] = {interval_, thread, times_[thread]};
}

bool AsyncOrder::knows_barrier(unsigned thread, const void* barrier) const {
  const auto found = initialized_.find(barrier);
  if (found == initialized_.end()) return true;
  const Initialization& one = found->second;
  return one.interval < interval_ || one.thread == thread || knows(thread, one.thread, one.time);
}

void AsyncOrder::arrive(unsigned thread, const void* barrier, std::uint64_t phase) {
  release(thread, phases_[{barrier, phase}]);
}

void AsyncOrder::pass(unsigned thread, const void* barrier, std::uint64_t phase) {
  if (const auto found = phases_.find({barrier, phase}); found != phases_.end()) {
    acquire(thread, found->second);
  }
  // Threads wait for the current phase or for the one before.
  const auto old = phases_.lower_bound({barrier, 0});
  const auto recent = phases_.lower_bound({barrier, phase < 2 ? 0 : phase - 2});
  phases_.erase(old, recent);
}

}  // namespace tilelab::emulator
