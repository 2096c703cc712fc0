#pragma once

/// Tiles: neighboring threads of a block, in a number known at compile time.

#include "emulated/groups/coalesced_group.h"

namespace tilelab::emulator {

/// Waits until `threads` threads of the block, from rank `first` on, have arrived, and lets each of
/// them know the others' values.
void wait_at_tile_barrier(unsigned first, unsigned threads, unsigned long long value, Site site);
/// What the thread with this rank in the block brought to the last barrier of its tile.
unsigned long long value_at_tile_barrier(unsigned rank);

template <class T>
unsigned long long to_tile_bits(T value) {
  static_assert(sizeof(T) <= 8, "tiles of more than 32 threads exchange values of up to 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
T from_tile_bits(unsigned long long bits, T value) {
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace tilelab::emulator

namespace cooperative_groups {

template <unsigned size, class Parent = void>
class thread_block_tile;

/// What all tiles have. It includes the tile's place among those of its parent.
template <unsigned threads>
class TileBase : public thread_group {
  static_assert(std::has_single_bit(threads) && threads <= 1024,
                "a tile has 1, 2, 4, 8, ... or 1024 threads");

 public:
  static constexpr unsigned num_threads() { return threads; }
  static constexpr unsigned size() { return threads; }
  static unsigned thread_rank() { return tilelab::emulator::rank_in_block() % threads; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

 protected:
  TileBase(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : thread_group(mask, meta_rank, meta_size, true) {}
};

/// A tile within a warp.
template <unsigned threads>
class WarpTile : public TileBase<threads> {
  using Operation = tilelab::emulator::WarpOperation;

 public:
  static void sync(Site site = Site::current()) { __syncwarp(mask(), site); }

  template <class T>
  std::remove_cvref_t<T> shfl(T&& value, int source_rank, Site site = Site::current()) const {
    return exchange<std::remove_cvref_t<T>>(Operation::shuffle_index, value, source_rank, site);
  }
  template <class T>
  std::remove_cvref_t<T> shfl_up(T&& value, unsigned delta, Site site = Site::current()) const {
    return exchange<std::remove_cvref_t<T>>(Operation::shuffle_up, value, delta, site);
  }
  template <class T>
  std::remove_cvref_t<T> shfl_down(T&& value, unsigned delta, Site site = Site::current()) const {
    return exchange<std::remove_cvref_t<T>>(Operation::shuffle_down, value, delta, site);
  }
  template <class T>
  std::remove_cvref_t<T> shfl_xor(T&& value, unsigned lanes, Site site = Site::current()) const {
    return exchange<std::remove_cvref_t<T>>(Operation::shuffle_xor, value, lanes, site);
  }

  int any(int predicate, Site site = Site::current()) const {
    return static_cast<int>(tilelab::emulator::vote(Operation::any, mask(), predicate != 0, site));
  }
  int all(int predicate, Site site = Site::current()) const {
    return static_cast<int>(tilelab::emulator::vote(Operation::all, mask(), predicate != 0, site));
  }
  unsigned ballot(int predicate, Site site = Site::current()) const {
    return ranks(tilelab::emulator::vote(Operation::ballot, mask(), predicate != 0, site));
  }
  template <class T>
  unsigned match_any(T value, Site site = Site::current()) const {
    return ranks(tilelab::emulator::match(Operation::match_any, mask(), value, site));
  }
  template <class T>
  unsigned match_all(T value, int& predicate, Site site = Site::current()) const {
    const unsigned lanes = tilelab::emulator::match(Operation::match_all, mask(), value, site);
    predicate = lanes != 0;
    return ranks(lanes);
  }

 protected:
  WarpTile(unsigned meta_rank, unsigned meta_size)
      : TileBase<threads>(mask(), meta_rank, meta_size) {}

 private:
  static unsigned first_lane() { return tilelab::emulator::own_lane() / threads * threads; }
  static unsigned mask() { return tilelab::emulator::every_lane >> (32 - threads) << first_lane(); }
  static unsigned ranks(unsigned lanes) { return lanes >> first_lane(); }

  template <class T>
  static T exchange(Operation operation, const T& value, unsigned operand, Site site) {
    return tilelab::emulator::shuffle_value(operation, mask(), value, operand,
                                            static_cast<int>(threads), site);
  }
};

/// A tile of several warps.
template <unsigned threads>
class BlockTile : public TileBase<threads> {
 public:
  static void sync(Site site = Site::current()) { meet(0, site); }

  template <class T>
  T shfl(T value, unsigned source_rank, Site site = Site::current()) const {
    meet(tilelab::emulator::to_tile_bits(value), site);
    return value_of(source_rank % threads, value);
  }
  int any(int predicate, Site site = Site::current()) const { return count(predicate, site) > 0; }
  int all(int predicate, Site site = Site::current()) const {
    return count(predicate, site) == threads;
  }

 protected:
  BlockTile(unsigned meta_rank, unsigned meta_size) : TileBase<threads>(0, meta_rank, meta_size) {}

 private:
  static unsigned first_rank() { return tilelab::emulator::rank_in_block() / threads * threads; }
  static void meet(unsigned long long value, Site site) {
    tilelab::emulator::wait_at_tile_barrier(first_rank(), threads, value, site);
  }
  /// The value that the thread with this rank in the tile brought along.
  template <class T>
  static T value_of(unsigned rank, T like) {
    return tilelab::emulator::from_tile_bits(
        tilelab::emulator::value_at_tile_barrier(first_rank() + rank), like);
  }
  static unsigned count(int predicate, Site site) {
    meet(predicate != 0, site);
    unsigned result = 0;
    for (unsigned rank = 0; rank < threads; ++rank) result += value_of(rank, 0u);
    return result;
  }

  friend struct GroupLanes;
};

template <unsigned threads>
using SizedTile = std::conditional_t<(threads <= 32), WarpTile<threads>, BlockTile<threads>>;

/// A tile of any parent.
template <unsigned threads>
class thread_block_tile<threads, void> : public SizedTile<threads> {
 protected:
  thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : SizedTile<threads>(meta_rank, meta_size) {}

  friend thread_block_tile<1, void> this_thread();
};

/// A tile that knows its parent's type.
template <unsigned threads, class Parent>
class thread_block_tile : public thread_block_tile<threads, void> {
 private:
  explicit thread_block_tile(const Parent& parent)
      : thread_block_tile<threads, void>(
            static_cast<unsigned>(parent.thread_rank()) / threads,
            (static_cast<unsigned>(parent.num_threads()) + threads - 1) / threads) {}

  template <unsigned tile_size, class AnyParent>
  friend thread_block_tile<tile_size, AnyParent> tiled_partition(const AnyParent& parent);
};

inline thread_block_tile<1, void> this_thread() { return {0, 1}; }

/// What tiles of more than 32 threads need in CUDA before compute capability 8.0.
template <unsigned most_threads = 1024>
struct block_tile_memory {
  char bytes[most_threads / 32 * 8];
};
template <unsigned most_threads>
thread_block this_thread_block(block_tile_memory<most_threads>&) {
  return this_thread_block();
}

}  // namespace cooperative_groups
