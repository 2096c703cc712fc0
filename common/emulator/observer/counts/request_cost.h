#pragma once

#include "emulator/observer/events/warp_access.h"

/// What a GPU's memory pipeline does for one instruction of a warp. This is the one place that
/// knows: the rules were found in what Nsight Compute counts on an H200, and
/// tests/common/emulator/calibration holds them to it.
namespace tilelab::emulator {

constexpr unsigned sector_bytes = 32;
constexpr unsigned bank_bytes = 4;
constexpr unsigned bank_count = 32;

/// The lanes whose shared accesses are served together: a warp's 4-byte accesses at once, 8-byte
/// ones in halves, 16-byte ones in quarters.
constexpr unsigned lanes_per_shared_pass(unsigned bytes) {
  return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
}

struct WavefrontCost {
  unsigned wavefronts;
  unsigned ideal;  ///< without conflicts
};

/// How many sectors of global memory the lanes touch. Atomics that meet at one word take turns: a
/// sector counts as often as its most wanted word.
unsigned sectors_of(const WarpAccess& access);

/// Lanes of a pass that want different words of one bank take turns; the same word is handed to all
/// of them at once, except to atomics. Two passes of loads become one where each lane of an even
/// number wants what the next one wants, or one of the two wants nothing.
WavefrontCost shared_cost_of(const WarpAccess& access);

/// One address is handed to all lanes at once, different ones take turns.
WavefrontCost constant_cost_of(const WarpAccess& access);

}  // namespace tilelab::emulator
