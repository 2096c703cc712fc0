#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/code_places.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/byte_set.h"

namespace tilelab::emulator {

/// Finds reads of memory that nobody wrote.
class UninitializedReads final : public Analysis {
 public:
  /// @param copies  knows the copy that the running thread starts
  /// @param overwrites  knows the atomic operations that read nothing
  /// @param points  knows which writes come before a read, though they are put together later
  UninitializedReads(FindingLog& findings, const CopyObserver& copies, const CodePlaces& overwrites,
                     const PointSource& points)
      : findings_(findings), copies_(copies), overwrites_(overwrites), points_(points) {}

  Wants wants() const override {
    return {.accesses = true, .thread_order = true, .untraced_stores = true};
  }
  Detail needs() const override { return Detail::everything; }
  void observation_begins(const ObserverOptions& options) override {
    sees_stores_ = options.detail >= needs();
  }
  void add_to(report::Report&) override { sees_stores_ = false; }
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void block_begins() override { shared_written_.clear(); }
  void block_parks(std::uint64_t number) override { parked_[number] = shared_written_.members(); }
  void block_unparks(std::uint64_t number) override;
  void take(const WarpAccess& access) override;
  void take_alone(Event event, unsigned thread) override;
  void untraced_store(Event event) override;
  void copy_issued(std::uint32_t batch, std::uint32_t read_batch) override;
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_written(const void* begin, std::size_t bytes) override;
  void memory_copied(const void* to, const void* from, std::size_t bytes) override;
  void memory_copied_to_host(const void* begin, std::size_t bytes) override;

  /// Lets the padding of objects count as written to which arguments of the launch point. Nobody
  /// writes it, and assignments of whole objects read it.
  void note_padding(const KernelCall& kernel);
  /// The same for objects in shared memory.
  /// @param clear_padding  leaves zeros in the padding of an object
  void note_shared_objects(std::uint32_t begin, std::size_t bytes, std::size_t object_bytes,
                           void (*clear_padding)(void*));
  /// Another block of the cluster wrote the running block's shared memory.
  void shared_memory_written(std::uint32_t begin, std::size_t bytes) {
    shared_written_.add_range(begin, bytes);
  }
  /// Lets device memory count as unwritten.
  void note_unwritten(const void* begin, std::size_t bytes) { memory_allocated(begin, bytes); }

 private:
  std::optional<std::uint32_t> first_unwritten(const ByteSet& written, Code read,
                                               std::uint32_t address, unsigned thread) const;
  void find_in(const ByteSet& written, const WarpAccess& access);
  void add_padding(const void* begin, const Padding& padding);

  FindingLog& findings_;
  const CopyObserver& copies_;
  const CodePlaces& overwrites_;
  const PointSource& points_;
  bool sees_stores_ = false;  ///< Whether it hears of what kernels store.
  std::string last_launch_;   ///< "scale<<<3, 256>>>", and how many threads that are.
  /// By the numbers of blocks that wait: what they have written to their shared memory.
  std::map<std::uint64_t, std::vector<ByteSet::Word>> parked_;
  std::map<std::uint32_t, std::size_t> padded_;  ///< By address: objects whose padding was noted.
  ByteSet global_written_{space_base::shared};
  ByteSet shared_written_{space_base::variables};
  std::map<std::uint32_t, std::size_t> padded_shared_;  ///< The same in shared memory.
  ByteSet shared_padding_{space_base::variables};
};

}  // namespace tilelab::emulator
