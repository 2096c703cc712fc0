#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TILELAB_HOST_DEVICE __host__ __device__
#else
#define TILELAB_HOST_DEVICE
#endif

/// What changes between two timed launches that use the same buffers, known to both judge and
/// worker.
///
/// Each block of `block_bytes` of an input gets one element from another place of the array, and
/// each block of an output loses one element to noise. So no earlier result is right any more, and
/// a kernel that wants to know where it still is has to read as much as one that computes it. All
/// follows from a seed; the seed 0 changes nothing. An array that is read and written gets what it
/// held at first, and then changes like an input.
namespace tilelab::turn {

/// One element changes per this many bytes.
inline constexpr std::uint64_t block_bytes = 16 << 10;

/// Before a set's outputs change, this many of their elements are kept as samples of the launch
/// that wrote them.
inline constexpr std::uint32_t samples = 32;

/// The room for one sample, where no element of an output is larger than `largest` bytes.
inline constexpr std::uint32_t room_for(std::uint32_t largest) { return (largest + 15) / 16 * 16; }

/// A well-mixed function of its argument (the finalizer of SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
TILELAB_HOST_DEVICE inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The seed of a launch, from the seed of the request and the launch's number in it. It is never 0.
TILELAB_HOST_DEVICE inline std::uint64_t seed_of(std::uint64_t seed, std::uint32_t launch) {
  return mix(seed + launch) | 1;
}

/// An array whose elements change.
struct Array {
  std::uint32_t number;         ///< The index among the function's arguments.
  std::uint32_t element_bytes;  ///< The size of an element.
  std::uint64_t elements;       ///< The number of elements.

  /// The number of elements in a block.
  TILELAB_HOST_DEVICE std::uint64_t per_block() const { return block_bytes / element_bytes; }

  /// The number of blocks, the last of which may be shorter.
  TILELAB_HOST_DEVICE std::uint64_t blocks() const {
    return (elements + per_block() - 1) / per_block();
  }
};

/// A changed element: its index, and the index of the original element that an input has there now.
struct Change {
  std::uint64_t at;    ///< This element changes.
  std::uint64_t from;  ///< This element takes its place.
};

/// The change of a block.
TILELAB_HOST_DEVICE inline Change change_of(std::uint64_t seed, const Array& array,
                                            std::uint64_t block) {
  const std::uint64_t bits = mix(seed ^ mix((block << 8) + array.number));
  const std::uint64_t first = block * array.per_block();
  const std::uint64_t left = array.elements - first;
  const std::uint64_t size = left < array.per_block() ? left : array.per_block();
  return {first + bits % size, mix(bits) % array.elements};
}

/// Which of the outputs the samples are taken from.
TILELAB_HOST_DEVICE inline std::uint64_t sampled_output(std::uint64_t seed, std::uint64_t outputs) {
  return mix(seed) % outputs;
}

/// The index of a sample among the elements of its output.
TILELAB_HOST_DEVICE inline std::uint64_t sample_of(std::uint64_t seed, std::uint32_t sample,
                                                   const Array& output) {
  return mix(mix(seed) + sample) % output.elements;
}

/// Whether the only element of an array is kept before it changes, because there is no other.
TILELAB_HOST_DEVICE inline bool is_kept_first(const Array& array) { return array.elements == 1; }

/// Whether this seed changes an element while others are kept. Such an element makes no sample.
TILELAB_HOST_DEVICE inline bool changes(std::uint64_t seed, const Array& array,
                                        std::uint64_t element) {
  if (is_kept_first(array)) return false;
  return change_of(seed, array, element / array.per_block()).at == element;
}

}  // namespace tilelab::turn
