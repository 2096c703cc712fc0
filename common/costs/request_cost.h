#pragma once

#include "costs/lane_addresses.h"
#include "report/access.h"

/// What a GPU's memory pipeline does for one instruction of a warp. All such rules are here. They
/// were derived from what Nsight Compute counts on an H200, and tests/common/emulator/calibration
/// compares them with it.
namespace tilelab::costs {

using report::AccessKind;

constexpr unsigned sector_bytes = 32;
constexpr unsigned bank_bytes = 4;
constexpr unsigned bank_count = 32;

/// How many lanes' accesses to shared memory are served together: all of a warp's 4-byte accesses,
/// half of its 8-byte ones, a quarter of its 16-byte ones.
constexpr unsigned lanes_per_shared_pass(unsigned bytes) {
  return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
}

struct WavefrontCost {
  unsigned wavefronts;
  unsigned ideal;  ///< Wavefronts without any conflict.
};

/// How many sectors of global memory the lanes touch. Atomics on the same word take turns: a sector
/// counts as often as its busiest word.
unsigned sectors_of(const LaneAddresses& access, AccessKind kind);

/// The bytes of so many sectors that a request can do without: all but those that the lanes ask
/// for, each once. A lane is worth a byte, so that a sector for a whole warp is never too much.
/// Several requests do not waste less than one for all of their lanes.
/// @param bytes  how many each lane accesses
unsigned wasted_bytes(const LaneAddresses& access, unsigned bytes, unsigned sectors);

/// Lanes of a pass that want different words of one bank take turns. Lanes that want the same word
/// get it at once, except for atomics that are no increments. Each two passes of loads become one
/// if every lane i of the warp wants the same as lane i ^ 1, or every one the same as lane i ^ 2,
/// where both want any.
/// @param bytes         how many each lane accesses
/// @param is_increment  whether it is an atomic that adds 1 and returns nothing
WavefrontCost shared_cost_of(const LaneAddresses& access, AccessKind kind, unsigned bytes,
                             bool is_increment);

/// Lanes that want the same address get it at once; different addresses take turns.
WavefrontCost constant_cost_of(const LaneAddresses& access);

}  // namespace tilelab::costs
