#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/access.h"
#include "report/places.h"
#include "schema/fields.h"

/// What the threads of a launch did to global and shared memory, access by access.
namespace tilelab::report {

/// A piece of memory that is accessed.
struct TracedArray {
  MemorySpace space = MemorySpace::global;  ///< The memory that the array is in.
  std::string name;                         ///< Its name; "" if it is unknown.
  /// The distance of its first byte from a multiple of 128 bytes: it tells sectors and banks.
  std::uint32_t begin = 0;
  std::uint64_t bytes = 0;  ///< Its size; 0 if it is unknown.
};
TILELAB_FIELDS(TracedArray, space, name, begin, bytes)

/// What one lane of a request accessed.
struct LaneAccess {
  std::uint32_t lane = 0;                ///< The lane's number in its warp.
  std::uint32_t array = 0;               ///< An index into Trace::arrays.
  std::uint64_t offset = 0;              ///< The distance from the begin of the array, in bytes.
  bool has_value = false;                ///< Whether `value` is known: only that of a store is.
  std::array<std::uint64_t, 2> value{};  ///< The bytes that are there after a store.
  // Of an asynchronous copy, whose array and offset are where it writes:
  std::uint32_t batch = 0;        ///< The number of its batch in the launch.
  bool has_source = false;        ///< Whether it reads anything.
  std::uint32_t from_array = 0;   ///< Where it reads: an index into Trace::arrays.
  std::uint64_t from_offset = 0;  ///< The distance of that from the begin of the array, in bytes.
};
TILELAB_FIELDS(LaneAccess, lane, array, offset, has_value, value, batch, has_source, from_array,
               from_offset)

/// What a step is in the life of asynchronous copies.
enum class CopyStep {
  none,    ///< It has nothing to do with them.
  start,   ///< The lanes start copies.
  bulk,    ///< One lane starts a bulk copy: each of `lanes` is a chunk of it.
  commit,  ///< The lanes close their batches.
  wait     ///< The lanes have waited for batches, whose copies are complete.
};

/// What a warp, or a whole block, did next.
struct TraceStep {
  bool is_barrier = false;             ///< Whether all threads of the block passed a barrier.
  std::uint64_t block = 0;             ///< The number of the block in its grid, x first.
  std::uint32_t place = 0;             ///< An index into Trace::places.
  std::uint32_t warp = 0;              ///< The number of the warp in its block.
  AccessKind kind = AccessKind::load;  ///< What the request does.
  std::uint32_t bytes = 0;             ///< How many bytes each lane accesses.
  std::uint32_t sectors = 0;           ///< The sectors of global memory that it touches.
  std::uint32_t wavefronts = 0;        ///< The passes that it needs in shared memory.
  std::uint32_t ideal_wavefronts = 0;  ///< The passes that it would need without conflicts.
  CopyStep copy = CopyStep::none;      ///< Its part in asynchronous copies.
  std::vector<LaneAccess> lanes;       ///< The active lanes, in order.
};
TILELAB_FIELDS(TraceStep, is_barrier, block, place, warp, kind, bytes, sectors, wavefronts,
               ideal_wavefronts, copy, lanes)

/// The steps of a launch. Blocks follow one another, and so do warps between two barriers; a GPU
/// has its own order. What is in a thread's own memory, or constant, is left out.
struct Trace {
  // What was left out because of the limit:
  std::uint64_t blocks_every = 1;   ///< Only blocks whose number is a multiple of it are there.
  std::uint32_t warps_every = 1;    ///< The same of the warps of a block.
  bool ends_early = false;          ///< Whether even that was too much: the end is missing.
  std::vector<TracedArray> arrays;  ///< The arrays that were accessed.
  std::vector<SourcePlace> places;  ///< The places in the source that did it.
  std::vector<TraceStep> steps;     ///< What happened.
};
TILELAB_FIELDS(Trace, blocks_every, warps_every, ends_early, arrays, places, steps)

}  // namespace tilelab::report
