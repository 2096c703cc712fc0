#pragma once

#include "observer/warp_request.h"

/// What a GPU's memory pipeline does for one instruction of a warp. This is the one place that
/// knows: it is calibrated against Nsight Compute's counters.
namespace tilelab::emulator {

constexpr unsigned sector_bytes = 32;
constexpr unsigned bank_bytes = 4;
constexpr unsigned bank_count = 32;

/// The lanes whose shared accesses are served together: a warp's 4-byte accesses at once, 8-byte
/// ones in halves, 16-byte ones in quarters.
constexpr unsigned lanes_per_shared_pass(unsigned bytes) {
  return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
}

struct SharedCost {
  unsigned wavefronts;
  unsigned ideal;  ///< without bank conflicts
};

/// How many sectors of global memory the lanes touch.
unsigned sectors_of(const WarpAccess& access);

/// Lanes of a pass that want different words of one bank take turns; the same word is handed to all
/// of them at once.
SharedCost shared_cost_of(const WarpAccess& access);

}  // namespace tilelab::emulator
