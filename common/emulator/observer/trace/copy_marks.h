#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "emulated/site.h"
#include "report/trace.h"

namespace tilelab::emulator {

/// What the marks in the threads' logs stand for that say where batches of copies were closed, and
/// where they had been waited for. Lanes that do the same at the same place get the same mark,
/// which lets them pass it together, although each has a batch of its own.
class CopyMarks {
 public:
  struct Mark {
    report::CopyStep what;
    Site site;
  };

  void block_begins() {
    for (auto& batches : batches_) batches.clear();
  }
  /// @return the number of the mark that goes into the thread's log
  std::uint32_t put(unsigned thread, const Mark& mark, std::uint32_t batch) {
    batches_[thread].push_back(batch);
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i].what == mark.what && marks_[i].site == mark.site) return i;
    }
    marks_.push_back(mark);
    return static_cast<std::uint32_t>(marks_.size() - 1);
  }
  const Mark& at(std::uint32_t number) const { return marks_.at(number); }
  /// The batch of the thread's next mark.
  std::optional<std::uint32_t> take(unsigned thread) {
    if (batches_[thread].empty()) return std::nullopt;
    const std::uint32_t batch = batches_[thread].front();
    batches_[thread].pop_front();
    return batch;
  }

 private:
  std::vector<Mark> marks_;  ///< As few as there are such places in the source.
  std::array<std::deque<std::uint32_t>, 1024> batches_;  ///< By thread, in its order.
};

}  // namespace tilelab::emulator
