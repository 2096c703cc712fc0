#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/observer/events/check.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/reserved_memory.h"
#include "emulator/observer/streams/stream_clocks.h"

namespace tilelab::emulator {

/// Finds accesses to one place in memory from cudaMalloc() by work of two streams that nothing
/// orders.
class StreamRaces final : public Check {
 public:
  explicit StreamRaces(FindingLog& findings) : findings_(findings) {}

  StreamClocks& clocks() { return clocks_; }
  /// All that was begun is done.
  void all_is_done();

  using Check::launch_begins;
  void launch_begins(cudaStream_t stream, const dim3& grid, const dim3& block);
  /// The runtime copies memory, or fills it, until it says that it has.
  /// @param call  the name of its function
  void copy_begins(cudaStream_t stream, const char* call);
  void copy_ends() { is_copying_ = false; }
  void copy_accesses(std::uint32_t begin, std::size_t bytes, bool writes);

  void take(const WarpAccess& access) override;

 private:
  struct Work {
    StreamClocks::Work order;
    const char* call;  ///< Of a copy; null for a launch.
    dim3 grid;
    dim3 block;
  };
  struct Record {
    std::uint32_t work = 0;
    Code code = 0;
    std::uint32_t block = 0;  ///< Its number in the grid.
    std::uint32_t thread = 0;
  };
  struct Word {
    Record write;
    std::array<Record, 2> reads;  ///< Of two pieces of work.
  };

  void begin_work(Work work);
  Word& word_at(std::uint32_t address);
  const Work* find(const Record& record) const;
  bool is_unordered(const Record& earlier) const;
  void look_at(std::uint32_t address, unsigned bytes, const Record& now, bool writes);
  void add(const Record& earlier, bool earlier_writes, std::uint32_t address, unsigned bytes,
           const Record& now, bool now_writes);

  FindingLog& findings_;
  StreamClocks clocks_;
  std::vector<Work> works_;  ///< By number from first_work_ on.
  std::uint32_t first_work_ = 1;
  bool is_copying_ = false;
  static constexpr std::uint32_t chunk_bytes = 1 << 16;
  std::array<Word*, (std::uint64_t{1} << 32) / chunk_bytes> chunks_{};
};

}  // namespace tilelab::emulator
