#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/reserved_memory.h"
#include "emulator/observer/streams/stream_clocks.h"

namespace tilelab::emulator {

/// Finds accesses to one place in memory from cudaMalloc() by work of two streams that nothing
/// orders, and host code that reads what such work writes before it has waited for it.
class StreamRaces final : public Analysis {
 public:
  explicit StreamRaces(FindingLog& findings) : findings_(findings) {}

  Wants wants() const override { return {.accesses = true}; }
  Detail needs() const override { return Detail::everything; }
  void observation_begins(const ObserverOptions& options) override {
    watches_copies_ = options.detail >= needs();
  }
  void add_to(report::Report&) override { watches_copies_ = false; }
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void take(const WarpAccess& access) override;

  void memory_allocated(const void* begin, std::size_t bytes) override;
  void memory_released(const void*, std::size_t) override { last_block_ = {}; }
  void stream_created(cudaStream_t stream, bool waits_for_default) override;
  void event_recorded(cudaEvent_t event, cudaStream_t stream) override {
    clocks_.record(event, stream);
  }
  void stream_waits(cudaStream_t stream, cudaEvent_t event) override {
    clocks_.wait(stream, event);
  }
  void graph_begins(cudaStream_t stream, const void* executable, bool branches) override {
    clocks_.graph_begins(stream, executable, branches);
  }
  void graph_step_begins(std::span<const std::size_t> after) override {
    clocks_.graph_step_begins(after);
  }
  void graph_ends() override { clocks_.graph_ends(); }
  void host_waits(cudaStream_t stream) override { clocks_.host_waits(stream); }
  void host_waits_for_event(cudaEvent_t event) override { clocks_.host_waits_for_event(event); }
  void host_waits_for_device() override;
  void host_frees(const void* begin, std::size_t bytes) override;
  void stream_copy_begins(cudaStream_t stream, const char* call) override;
  void stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) override;
  void stream_copy_ends() override { is_copying_ = false; }
  void host_function_begins(cudaStream_t stream) override;
  void host_function_ends() override;
  void call_begins(const void*) override;
  void call_returns() override;
  void call_ends() override { before_call_.reset(); }
  void device_reset() override { host_waits_for_device(); }

  // For the hooks: host code may learn what another thread of the host did, or it reads or writes
  // memory.
  void host_synchronizes();
  void host_accesses(std::uintptr_t address, std::size_t bytes, Code code);

 private:
  /// All that was begun is done.
  void forget_works();
  struct Work {
    StreamClocks::Work order;
    const char* call;  ///< Of a copy or a function of the host; null for a launch.
    dim3 grid;
    dim3 block;
    Site site;                           ///< Of a launch.
    std::vector<std::uint64_t> callers;  ///< Of a copy.
  };
  struct Record {
    std::uint32_t work = 0;
    Code code = 0;
    std::uint32_t block = 0;  ///< Its number in the grid.
    std::uint32_t thread : 28 = 0;
    std::uint32_t bytes : 4 = 0;  ///< Of the word, a bit each.
  };
  struct Word {
    Record write;
    std::array<Record, 2> reads;  ///< Of two pieces of work.
  };

  /// Whether it matters what work does to memory of the device alone.
  bool watches_device() const { return clocks_.has_streams() || has_pools_; }
  bool is_watching() const { return watches_device() || shares_with_host_; }
  void begin_work(Work work);
  /// What the caller did in the default stream before the call: it wrote what the function reads.
  void note_before_call();
  /// Whether the host code that runs comes after the work.
  bool is_done(const StreamClocks::Work& work) const {
    return host_functions_.empty() ? clocks_.host_knows(work)
                                   : StreamClocks::is_done(work, host_functions_.back());
  }
  /// Notes that the host code that runs has seen in another way that the work is done.
  void saw(const StreamClocks::Work& work) {
    host_functions_.empty() ? clocks_.host_saw(work)
                            : StreamClocks::see(host_functions_.back(), work);
  }
  bool is_early(const Record& earlier, unsigned bytes) const;
  bool is_used(const Record& record) const;
  void add_early(const Record& earlier, bool earlier_writes, std::uint32_t address, unsigned bytes,
                 Code code);
  void add_early_free(const Record& earlier, bool earlier_writes, std::uint32_t address);
  /// A thread that made the access of a kernel.
  report::Accessor thread_of(const Record& record) const;
  /// "cudaMemcpyAsync(), which writes it"; "" for a kernel.
  std::string call_of(const Record& record, bool writes) const;
  /// A thread of the host that has not begun the last work accesses memory.
  void other_thread_accesses(std::uintptr_t address, std::size_t bytes, Code code);
  void host_accesses_shared(std::uintptr_t address, std::size_t bytes, Code code);
  /// Whether host code may use what is at the compressed address.
  bool is_for_host(std::uint32_t address);
  Word& word_at(std::uint32_t address);
  /// Calls `function(address, word)` for those words of a range that may have been accessed, until
  /// it returns true.
  template <class Function>
  void find_word(std::uint32_t begin, std::size_t bytes, Function function);
  const Work* find(const Record& record) const;
  bool is_unordered(const Record& earlier) const;
  void look_at(std::uint32_t address, unsigned bytes, const Record& now, bool writes);
  void note(Word& word, const Record& now, bool writes);
  /// Notes what the last piece of work does there.
  void note_range(std::uint32_t begin, std::size_t bytes, Code code, bool writes);
  static void remember(Record& last, Record now);
  void add(const Record& earlier, bool earlier_writes, std::uint32_t address, unsigned bytes,
           const Record& now, bool now_writes);
  static report::FindingKind kind_of_race(const Work& earlier, const Work& now);

  FindingLog& findings_;
  StreamClocks clocks_;
  std::vector<Work> works_;  ///< By number from first_work_ on.
  std::uint32_t first_work_ = 1;
  bool shares_with_host_ = false;      ///< Whether there is memory that host code and kernels use.
  bool has_pools_ = false;             ///< Whether a stream has allocated memory.
  const void* host_thread_ = nullptr;  ///< That began the last work.
  /// What is done when those functions run that are work of a stream, of those that run.
  std::vector<StreamClocks::Clock> host_functions_;
  /// The caller's work before the call in hand, until it is noted.
  std::optional<StreamClocks::Work> before_call_;
  std::uint32_t read_early_ = 0;  ///< What host code has read too early last, compressed.
  /// Of device memory: the one that a kernel has accessed last.
  struct Block {
    std::uint32_t begin = 0;  ///< Compressed.
    std::uint32_t bytes = 0;
    bool is_for_host = false;
  } last_block_;
  bool is_copying_ = false;
  bool watches_copies_ = false;
  static constexpr std::uint32_t chunk_bytes = 1 << 16;
  std::array<Word*, (std::uint64_t{1} << 32) / chunk_bytes> chunks_{};
};

}  // namespace tilelab::emulator
