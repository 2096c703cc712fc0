#pragma once

#include <cstdint>
#include <vector>

#include "emulator/observer/races/knowledge.h"

namespace tilelab::emulator {

/// What each thread of a block knew at which time. It never gets less. At a barrier, each learns
/// what the others know.
class KnowledgeOverTime {
 public:
  /// The block begins. Nobody knows anything.
  void clear();
  void barrier_opens();

  /// What the thread knew at that time.
  const Knowledge& at(unsigned thread, std::uint32_t time) const;
  const Knowledge& now(unsigned thread) const { return at(thread, ~0u); }

  /// Whether the thread would learn something.
  bool is_new(unsigned thread, const Knowledge& more) const;
  /// From this time on, the thread knows that, too.
  void add(unsigned thread, std::uint32_t time, const Knowledge& more);
  /// From now on, all threads know that.
  void add_for_all(const Knowledge& more) { all_.join(more); }

  /// Whether any thread knows anything that it did not know at the last barrier.
  bool has_news() const { return !snapshots_.empty(); }
  bool is_empty() const { return !has_news() && all_.is_empty(); }

 private:
  struct Snapshot {
    std::uint32_t from;
    Knowledge known;
  };

  Knowledge all_;                                 ///< What all threads know.
  std::vector<std::vector<Snapshot>> snapshots_;  ///< By thread, or empty.
};

}  // namespace tilelab::emulator
