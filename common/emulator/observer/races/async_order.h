#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tilelab::emulator {

/// Which threads of the running block know what others did, beyond the block's barriers: through
/// barriers that count arrivals, and tiles. Threads also know of batches of copies that they have
/// waited for. It begins when a block uses any of these.
///
/// Each thread's time advances when it tells others what it did. A thread knows what another one
/// did before a time (a vector clock). The block's barrier starts all over.
class AsyncOrder {
 public:
  using Batch = std::uint32_t;

  /// The block's threads meet at its barrier, or a block begins, which forgets all copies too.
  void barrier_opens();
  void block_begins();

  bool is_active() const { return threads_ > 0; }
  /// @param times  the threads' times at the beginning
  void begin(unsigned threads, std::span<const std::uint16_t> times);

  std::uint32_t time(unsigned thread) const { return times_[thread]; }
  std::uint32_t latest_time() const;
  void advance(unsigned thread) { ++times_[thread]; }
  /// Whether the thread knows what another one did at that time.
  bool knows(unsigned thread, unsigned other, std::uint32_t time) const {
    return known_[thread * threads_ + other] > time;
  }
  /// Whether the thread knows that the copies are complete.
  bool knows_batch(unsigned thread, Batch batch) const;

  void begin_batch(Batch batch);
  void learn_batch(unsigned thread, Batch batch);

  /// These threads tell each other all they know.
  void meet(std::span<const unsigned> threads);

  /// What the thread knows reaches those that acquire the place: a lock or a flag, for example.
  void release_place(unsigned thread, std::uint32_t address);
  void acquire_place(unsigned thread, std::uint32_t address);

  void initialize(const void* barrier, unsigned thread);
  bool knows_barrier(unsigned thread, const void* barrier) const;
  void arrive(unsigned thread, const void* barrier, std::uint64_t phase);
  void pass(unsigned thread, const void* barrier, std::uint64_t phase);

 private:
  using Batches = std::vector<Batch>;  // sorted

  /// What a phase of a barrier passes on.
  struct Message {
    std::uint32_t interval = 0;
    std::vector<std::uint32_t> known;
    Batches batches;
  };
  struct Initialization {
    std::uint32_t interval;
    unsigned thread;
    std::uint32_t time;
  };

  std::span<std::uint32_t> known_by(unsigned thread) {
    return {known_.data() + std::size_t{thread} * threads_, threads_};
  }
  void release(unsigned thread, Message& message);
  void acquire(unsigned thread, const Message& message);
  void forget_batches_that_all_know();

  unsigned threads_ = 0;
  std::uint32_t interval_ = 1;  ///< Counts the block's barriers.
  std::vector<std::uint32_t> times_;
  std::vector<std::uint32_t> known_;  ///< By thread, and the thread that it knows of.
  std::vector<Batches> batches_;      ///< By thread: the batches that it knows.
  Batches live_;                      ///< The batches that not all threads know.
  std::size_t most_live_ = 64;
  std::map<std::pair<const void*, std::uint64_t>, Message> phases_;
  std::map<std::uint32_t, Message> places_;
  std::map<const void*, Initialization> initialized_;
};

}  // namespace tilelab::emulator
