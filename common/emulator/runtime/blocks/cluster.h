#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vector_types.h"

namespace tilelab::emulator {

/// A place in the shared memory of a block of a cluster.
struct ClusterPlace {
  unsigned rank;       ///< The block's rank in the cluster.
  bool is_dynamic;     ///< Whether it is in the dynamic array, or else in the static ones.
  std::size_t offset;  ///< From where these begin. It may be beyond their end.
};

/// A thread-block cluster that has begun and not ended: its barrier, and the shared memory of its
/// blocks. Blocks run one at a time. While a block runs, its shared memory is where its variables
/// are. While others run, and after it has ended, it is here, and this is where pointers of other
/// blocks point.
class Cluster {
 public:
  /// @param first          the index of its first block
  /// @param extent         in blocks
  /// @param dynamic_bytes  of each block
  Cluster(uint3 first, const dim3& extent, unsigned threads_per_block, std::size_t dynamic_bytes);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// No other cluster of the process has the number.
  std::uint64_t number() const { return number_; }
  unsigned blocks() const { return extent_.x * extent_.y * extent_.z; }
  unsigned rank_of(uint3 block) const;
  uint3 block(unsigned rank) const;
  const dim3& extent() const { return extent_; }

  // The running block's shared memory goes there, and comes back.
  void save_memory(unsigned rank);
  void restore_memory(unsigned rank) const;

  /// Where an address is that another block's pointers may have, if it is one.
  std::optional<ClusterPlace> place_of(const void* address) const;
  /// What such a pointer is.
  std::byte* address_of(const ClusterPlace& place) const;

  // Blocks come and go.
  void block_begins(unsigned rank) { has_begun_[rank] = true; }
  void block_ends(unsigned rank) { has_ended_[rank] = true; }
  bool has_begun(unsigned rank) const { return has_begun_[rank]; }
  bool has_ended(unsigned rank) const { return has_ended_[rank]; }
  unsigned ended_blocks() const;

  // The barrier. It opens when all threads have arrived that have not exited.
  /// @return false if the thread has arrived before and not waited since
  bool arrive(unsigned rank, unsigned thread);
  /// @return false if the thread has not arrived
  bool has_arrived(unsigned rank, unsigned thread) const { return awaited_[rank][thread] != 0; }
  bool is_open_for(unsigned rank, unsigned thread) const {
    return awaited_[rank][thread] <= openings_;
  }
  void pass(unsigned rank, unsigned thread) { awaited_[rank][thread] = 0; }
  void exit(unsigned rank, unsigned thread);
  /// Opens it if nobody is missing.
  bool open_if_complete();

 private:
  static inline std::uint64_t last_number_ = 0;
  std::uint64_t number_ = ++last_number_;
  uint3 first_;
  dim3 extent_;
  std::size_t dynamic_bytes_;
  std::size_t static_bytes_;  ///< Rounded up, so that the dynamic array is aligned.
  std::size_t stride_;        ///< From one block's memory to the next.
  std::byte* memory_;
  std::vector<bool> has_begun_;
  std::vector<bool> has_ended_;
  unsigned living_;
  unsigned arrived_ = 0;
  std::uint64_t openings_ = 0;
  /// By rank and thread: the opening that the thread has arrived for and not waited for yet, or 0.
  std::vector<std::vector<std::uint64_t>> awaited_;
};

}  // namespace tilelab::emulator
