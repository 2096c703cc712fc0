#pragma once

#include <array>
#include <cstdint>

#include "emulated/warp_functions.h"

namespace tilelab::emulator {

constexpr unsigned warp_lanes = 32;

/// The requests of a warp's lanes, by lane; null for lanes that do not take part.
using WarpRequests = std::array<const WarpRequest*, warp_lanes>;

/// The lane whose value a shuffle passes to this lane. It may not take part.
unsigned source_lane(const WarpRequest& request, unsigned lane);

/// The result for this lane of an operation in which the lanes of `participants` take part.
std::uint64_t warp_result(const WarpRequests& requests, unsigned participants, unsigned lane);

/// Whether it is a shuffle.
bool is_shuffle(WarpOperation operation);

/// Whether it is __reduce_add_sync() or one of its like.
bool is_reduction(WarpOperation operation);

/// The operation's name in CUDA.
const char* name_of(WarpOperation operation);

}  // namespace tilelab::emulator
