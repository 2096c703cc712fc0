#pragma once

/// Warp shuffles, votes, matches and reductions.

#include <bit>
#include <concepts>
#include <cstdint>

#include "emulated/site.h"

namespace tilelab::emulator {

enum class WarpOperation {
  sync,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  all,
  any,
  ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_min_signed,
  reduce_max_signed,
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_and,
  reduce_or,
  reduce_xor,
  active_mask
};

/// What one lane brings to a warp operation.
struct WarpRequest {
  WarpOperation operation;
  unsigned mask;
  std::uint64_t value = 0;  ///< The lane's bits, zero-extended.
  unsigned operand = 0;     ///< A shuffle's source lane, delta or lane mask.
  int width = 32;           ///< How many lanes a segment of a shuffle has.
};

/// Waits until every living lane of the mask asks for the same operation, and returns this lane's
/// result.
std::uint64_t warp_collective(const WarpRequest& request, Site site);

/// What the rewriter makes of __activemask() where no function picks a leader among the lanes.
unsigned branch_mask(Site site = Site::current());

template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(bits);
  } else {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  }
}

template <class T>
T shuffle(WarpOperation operation, unsigned mask, T value, unsigned operand, int width, Site site) {
  return from_bits<T>(warp_collective({operation, mask, to_bits(value), operand, width}, site));
}

}  // namespace tilelab::emulator

inline void __syncwarp(unsigned mask = 0xffffffffu,
                       tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::warp_collective({tilelab::emulator::WarpOperation::sync, mask}, site);
}

#define TILELAB_SHUFFLE(function, which, OperandType, T)                                    \
  inline T function(unsigned mask, T value, OperandType operand, int width = 32,            \
                    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {    \
    return tilelab::emulator::shuffle(tilelab::emulator::WarpOperation::which, mask, value, \
                                      static_cast<unsigned>(operand), width, site);         \
  }
#define TILELAB_SHUFFLES(T)                                    \
  TILELAB_SHUFFLE(__shfl_sync, shuffle_index, int, T)          \
  TILELAB_SHUFFLE(__shfl_up_sync, shuffle_up, unsigned, T)     \
  TILELAB_SHUFFLE(__shfl_down_sync, shuffle_down, unsigned, T) \
  TILELAB_SHUFFLE(__shfl_xor_sync, shuffle_xor, int, T)

TILELAB_SHUFFLES(int)
TILELAB_SHUFFLES(unsigned)
TILELAB_SHUFFLES(long)
TILELAB_SHUFFLES(unsigned long)
TILELAB_SHUFFLES(long long)
TILELAB_SHUFFLES(unsigned long long)
TILELAB_SHUFFLES(float)
TILELAB_SHUFFLES(double)

#undef TILELAB_SHUFFLES
#undef TILELAB_SHUFFLE

#define TILELAB_VOTE(function, which, Result)                                                 \
  inline Result function(unsigned mask, int predicate,                                        \
                         tilelab::emulator::Site site = tilelab::emulator::Site::current()) { \
    return static_cast<Result>(tilelab::emulator::warp_collective(                            \
        {tilelab::emulator::WarpOperation::which, mask, predicate != 0}, site));              \
  }

TILELAB_VOTE(__all_sync, all, int)
TILELAB_VOTE(__any_sync, any, int)
TILELAB_VOTE(__ballot_sync, ballot, unsigned)

#undef TILELAB_VOTE

/// The lanes of the warp that arrive here before every thread of the block has to wait.
inline unsigned __activemask(tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return static_cast<unsigned>(tilelab::emulator::warp_collective(
      {tilelab::emulator::WarpOperation::active_mask, 0xffffffffu}, site));
}

// __match_all_sync() sets `predicate` to 1 if all lanes have the same value, to 0 if not.
#define TILELAB_MATCHES(T)                                                                         \
  inline unsigned __match_any_sync(                                                                \
      unsigned mask, T value, tilelab::emulator::Site site = tilelab::emulator::Site::current()) { \
    return static_cast<unsigned>(tilelab::emulator::warp_collective(                               \
        {tilelab::emulator::WarpOperation::match_any, mask, tilelab::emulator::to_bits(value)},    \
        site));                                                                                    \
  }                                                                                                \
  inline unsigned __match_all_sync(                                                                \
      unsigned mask, T value, int* predicate,                                                      \
      tilelab::emulator::Site site = tilelab::emulator::Site::current()) {                         \
    const auto lanes = static_cast<unsigned>(tilelab::emulator::warp_collective(                   \
        {tilelab::emulator::WarpOperation::match_all, mask, tilelab::emulator::to_bits(value)},    \
        site));                                                                                    \
    *predicate = lanes != 0;                                                                       \
    return lanes;                                                                                  \
  }

TILELAB_MATCHES(int)
TILELAB_MATCHES(unsigned)
TILELAB_MATCHES(long)
TILELAB_MATCHES(unsigned long)
TILELAB_MATCHES(long long)
TILELAB_MATCHES(unsigned long long)
TILELAB_MATCHES(float)
TILELAB_MATCHES(double)

#undef TILELAB_MATCHES

#define TILELAB_REDUCE(function, which, T)                                                  \
  inline T function(unsigned mask, T value,                                                 \
                    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {    \
    return tilelab::emulator::from_bits<T>(tilelab::emulator::warp_collective(              \
        {tilelab::emulator::WarpOperation::which, mask, tilelab::emulator::to_bits(value)}, \
        site));                                                                             \
  }

TILELAB_REDUCE(__reduce_add_sync, reduce_add, int)
TILELAB_REDUCE(__reduce_add_sync, reduce_add, unsigned)
TILELAB_REDUCE(__reduce_min_sync, reduce_min_signed, int)
TILELAB_REDUCE(__reduce_min_sync, reduce_min_unsigned, unsigned)
TILELAB_REDUCE(__reduce_max_sync, reduce_max_signed, int)
TILELAB_REDUCE(__reduce_max_sync, reduce_max_unsigned, unsigned)
TILELAB_REDUCE(__reduce_and_sync, reduce_and, unsigned)
TILELAB_REDUCE(__reduce_or_sync, reduce_or, unsigned)
TILELAB_REDUCE(__reduce_xor_sync, reduce_xor, unsigned)

#undef TILELAB_REDUCE
