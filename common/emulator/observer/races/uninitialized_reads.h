#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/observer/events/check.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/byte_set.h"
#include "emulator/observer/races/race_detector.h"

namespace tilelab::emulator {

/// Finds reads of memory that nobody wrote.
class UninitializedReads final : public Check {
 public:
  explicit UninitializedReads(FindingLog& findings) : findings_(findings) {}

  void block_begins() override { shared_written_.clear(); }
  bool looks_at_threads() const override { return true; }
  void take(const WarpAccess& access) override;

  /// Takes out what the running block has written to shared memory, while another one runs.
  std::vector<ByteSet::Word> park() { return shared_written_.members(); }
  void resume(const std::vector<ByteSet::Word>& written);
  /// Another block of the cluster wrote the running block's shared memory.
  void shared_memory_written(std::uint32_t begin, std::size_t bytes) {
    shared_written_.add_range(begin, bytes);
  }
  /// A thread has started an asynchronous copy.
  void copied(const RaceDetector::CopyPlace& place, unsigned thread);

  /// Host code, or a block that is not traced, wrote device memory.
  void device_memory_written(std::uint32_t begin, std::size_t bytes) {
    global_written_.add_range(begin, bytes);
  }
  void device_memory_allocated(std::uint32_t begin, std::size_t bytes) {
    global_written_.remove_range(begin, bytes);
  }

 private:
  void find_in(const ByteSet& written, const WarpAccess& access);

  FindingLog& findings_;
  ByteSet global_written_{space_base::shared};
  ByteSet shared_written_{space_base::variables};
};

}  // namespace tilelab::emulator
