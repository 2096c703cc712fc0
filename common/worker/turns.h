#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/turn.h"
#include "contract/wire.h"

/// The harness's own kernels around timed launches.
namespace tilelab::worker {

/// An array of one set that changes at a turn.
struct TurningArray {
  turn::Array array;            ///< Its number and size.
  std::byte* values = nullptr;  ///< Its payload on the device.
  const std::byte* originals =
      nullptr;  ///< The payload that an input had at first; null for outputs.
};

/// All arrays of one set.
struct TurningSet {
  std::uint32_t count = 0;                        ///< This many of `arrays` count.
  TurningArray arrays[wire::max_arguments] = {};  ///< The arrays, inputs and outputs.
};

/// Starts a kernel that keeps samples of the outputs, takes back the changes of the seed `before`
/// and makes those of the seed `now`.
/// @param kept  room for turn::samples of turn::sample_bytes each, on the device; null for none
void start_turn(const TurningSet& set, std::uint64_t before, std::uint64_t now, std::byte* kept);

/// Starts a kernel that fills memory on the device with noise.
void start_noise(std::byte* memory, std::size_t bytes, std::uint64_t seed);

/// Starts a kernel that reads memory on the device and writes it back changed.
void start_flush(std::byte* memory, std::size_t bytes);

}  // namespace tilelab::worker
