#include "emulator/observer/races/knowledge_over_time.h"

#include <algorithm>
#include <iterator>

namespace tilelab::emulator {

void KnowledgeOverTime::clear() {
  all_ = {};
  snapshots_.clear();
}

void KnowledgeOverTime::barrier_opens() {
  for (const std::vector<Snapshot>& of_thread : snapshots_) {
    if (!of_thread.empty()) all_.join(of_thread.back().known);
  }
  snapshots_.clear();
}

const Knowledge& KnowledgeOverTime::at(unsigned thread, std::uint32_t time) const {
  if (snapshots_.size() <= thread) return all_;
  const std::vector<Snapshot>& of_thread = snapshots_[thread];
  const auto next = std::upper_bound(
      of_thread.begin(), of_thread.end(), time,
      [](std::uint32_t wanted, const Snapshot& snapshot) { return wanted < snapshot.from; });
  return next == of_thread.begin() ? all_ : std::prev(next)->known;
}

bool KnowledgeOverTime::is_new(unsigned thread, const Knowledge& more) const {
  Knowledge both = now(thread);
  both.join(more);
  return !both.is_same(now(thread));
}

void KnowledgeOverTime::add(unsigned thread, std::uint32_t time, const Knowledge& more) {
  Knowledge both = now(thread);
  both.join(more);
  if (both.is_same(now(thread))) return;
  if (snapshots_.size() <= thread) snapshots_.resize(thread + 1);
  snapshots_[thread].push_back({time, both});
}

}  // namespace tilelab::emulator
