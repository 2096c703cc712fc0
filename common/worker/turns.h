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
  /// The payload that it had at first; null for an array that is only written.
  const std::byte* originals = nullptr;
  bool is_output = false;  ///< Whether a launch writes the array.
};

/// All arrays of one set.
struct TurningSet {
  std::uint32_t count = 0;                        ///< This many of `arrays` count.
  TurningArray arrays[wire::max_arguments] = {};  ///< The arrays, inputs and outputs.
};

/// Room for turn::samples samples of outputs.
struct Kept {
  std::byte* samples = nullptr;    ///< On the device; null if none are kept.
  std::uint32_t sample_bytes = 0;  ///< The room for one of them; see turn::room_for().
};

/// Starts a kernel that keeps samples of the outputs, takes back the changes of the seed `before`
/// and makes those of the seed `now`.
void start_turn(const TurningSet& set, std::uint64_t before, std::uint64_t now, const Kept& kept);

/// Starts a kernel that only keeps the samples.
void start_keeping(const TurningSet& set, std::uint64_t now, const Kept& kept);

/// Starts a kernel that fills memory on the device with noise.
void start_noise(std::byte* memory, std::size_t bytes, std::uint64_t seed);

/// Starts a kernel that reads memory on the device and writes it back changed.
void start_flush(std::byte* memory, std::size_t bytes);

}  // namespace tilelab::worker
