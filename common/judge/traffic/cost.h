#pragma once

#include <cstdint>

#include "judge/calls/observation.h"

/// What a call costs the hardware, as amounts. Each is a sum over accesses of parts that are not
/// negative, so nothing that a kernel does besides makes it less, and it counts each access by
/// whatever instruction, kernel or engine makes it.
namespace tilelab::judge {

/// What a call, or one of its lines, did.
struct Cost {
  /// The accesses of kernels. Those to constant memory are among them if it holds what was copied
  /// from device memory, and else there are none.
  report::MemoryCounts kernels;
  report::AccessCounts engine_loads;   ///< What the runtime's copies read of device memory.
  report::AccessCounts engine_stores;  ///< What its copies and fills wrote there.
};

/// What all of a call did. If only some blocks of a launch were traced, their counts are scaled to
/// all blocks.
Cost cost_of(const Observation& observation);

/// What one of its lines did in the traced blocks.
Cost cost_of(const Observation& observation, const report::LineCounts& line);

/// The bytes that lanes load from global memory, from copies of it in constant memory unless all
/// lanes of a warp load the same, or by atomic operations, and those that the runtime's copies
/// read.
std::uint64_t loaded_bytes(const Cost& cost);

/// The same without what copies bring, asynchronous ones and the runtime's.
std::uint64_t bytes_loaded_by_threads(const Cost& cost);

/// The bytes that lanes store to global memory or change there by atomic operations, and those that
/// the runtime's copies and fills write.
std::uint64_t stored_bytes(const Cost& cost);

/// The bytes of the sectors that requests touch, less those that they cannot do without.
std::uint64_t wasted_bytes(const Cost& cost);

/// The wavefronts of shared memory, for loads, stores and atomic operations.
std::uint64_t shared_wavefronts(const Cost& cost);

/// Those of them that conflicts add. nvcc may merge accesses to neighboring words, which can remove
/// conflicts. Nobody is blamed for those that might not be there.
std::uint64_t certain_conflicts(const Cost& cost);

}  // namespace tilelab::judge
