#include "emulator/runtime/async/async_copies.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilelab::emulator {
namespace {

void perform(const AsyncCopies::Copy& copy) {
  std::memmove(copy.to, copy.from, copy.source_bytes);
  std::memset(static_cast<char*>(copy.to) + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
}

}  // namespace

AsyncCopies& AsyncCopies::instance() {
  static auto* copies = new AsyncCopies;
  return *copies;
}

void AsyncCopies::finish_block() {
  if (!is_used_) return;
  std::vector<Batch> batches;
  for (const auto& [batch, copies] : late_) batches.push_back(batch);
  std::sort(batches.begin(), batches.end());
  for (const Batch batch : batches) complete(batch);
  forget_block();
}

void AsyncCopies::forget_block() {
  late_.clear();
  threads_.clear();
  is_used_ = false;
}

void AsyncCopies::issue(Batch batch, const Copy& copy, bool is_early) {
  is_used_ = true;
  if (is_early) return perform(copy);
  late_[batch].push_back(copy);
}

void AsyncCopies::complete(Batch batch) {
  const auto late = late_.find(batch);
  if (late == late_.end()) return;
  for (const Copy& copy : late->second) perform(copy);
  late_.erase(late);
}

AsyncCopies::Thread& AsyncCopies::thread(unsigned rank) {
  if (threads_.empty()) threads_.resize(device_limits::threads_per_block);
  return threads_[rank];
}

AsyncCopies::Batch AsyncCopies::open_batch(unsigned rank) {
  Batch& open = thread(rank).open;
  if (open == 0) open = new_batch();
  return open;
}

AsyncCopies::Batch AsyncCopies::commit(unsigned rank) {
  is_used_ = true;
  const Batch batch = open_batch(rank);
  thread(rank).committed.push_back(batch);
  thread(rank).open = 0;
  return batch;
}

AsyncCopies::Batch AsyncCopies::take_oldest(unsigned rank, unsigned prior) {
  std::deque<Batch>& committed = thread(rank).committed;
  if (committed.size() <= prior) return 0;
  const Batch oldest = committed.front();
  committed.pop_front();
  return oldest;
}

AsyncCopies::BulkGroup& AsyncCopies::open_bulk_group(unsigned rank, Site site) {
  BulkGroup& open = thread(rank).open_bulk;
  if (open.writes == 0) open = {new_batch(), new_batch(), site};
  return open;
}

AsyncCopies::Batch AsyncCopies::commit_bulk_group(unsigned rank) {
  Thread& own = thread(rank);
  const Batch reads = own.open_bulk.reads;
  if (own.open_bulk.writes == 0) own.open_bulk.has_read = true;
  own.bulk.push_back(std::exchange(own.open_bulk, {}));
  return reads;
}

const AsyncCopies::BulkGroup* AsyncCopies::find_reading_group() const {
  for (const Thread& one : threads_) {
    if (one.open_bulk.writes != 0) return &one.open_bulk;
    for (const BulkGroup& group : one.bulk) {
      if (!group.has_read) return &group;
    }
  }
  return nullptr;
}

}  // namespace tilelab::emulator
