#include <cuda_runtime.h>

#include "worker/turns.h"

namespace tilelab::worker {
namespace {

constexpr unsigned block = 256;

// Enough blocks to fill any GPU; each thread takes several steps.
constexpr unsigned most_blocks = 2048;

unsigned blocks_for(std::uint64_t threads) {
  const std::uint64_t blocks = (threads + block - 1) / block;
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

__device__ void copy_element(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  if (bytes % 4 == 0) {
    for (std::uint32_t i = 0; i < bytes / 4; ++i) {
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
    }
  } else {
    for (std::uint32_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

__device__ void change_input(const TurningArray& input, std::uint64_t index, std::uint64_t before,
                             std::uint64_t now) {
  const std::uint32_t bytes = input.array.element_bytes;
  if (before != 0) {
    const std::uint64_t at = turn::change_of(before, input.array, index).at;
    copy_element(input.values + at * bytes, input.originals + at * bytes, bytes);
  }
  const turn::Change change = turn::change_of(now, input.array, index);
  copy_element(input.values + change.at * bytes, input.originals + change.from * bytes, bytes);
}

__device__ void spoil_output(const TurningArray& output, std::uint64_t index, std::uint64_t now) {
  const turn::Change change = turn::change_of(now, output.array, index);
  auto* element =
      reinterpret_cast<unsigned char*>(output.values) + change.at * output.array.element_bytes;
  const std::uint64_t noise = turn::mix(now ^ change.at);
  for (std::uint32_t i = 0; i < output.array.element_bytes; ++i) {
    // Never the byte that is there.
    element[i] ^= static_cast<unsigned char>((noise >> (8 * (i % 8))) | 1);
  }
}

__device__ const TurningArray& output_of(const TurningSet& set, std::uint64_t seed) {
  std::uint32_t outputs = 0;
  for (std::uint32_t i = 0; i < set.count; ++i) outputs += set.arrays[i].is_output;
  std::uint64_t chosen = turn::sampled_output(seed, outputs);
  for (std::uint32_t i = 0;; ++i) {
    if (set.arrays[i].is_output && chosen-- == 0) return set.arrays[i];
  }
}

__device__ void keep_sample(const TurningSet& set, std::uint64_t now, std::uint32_t sample,
                            const Kept& kept) {
  const turn::Array& output = output_of(set, now).array;
  const std::byte* values = output_of(set, now).values;
  const std::uint64_t at = turn::sample_of(now, sample, output);
  if (turn::changes(now, output, at)) return;
  copy_element(kept.samples + sample * kept.sample_bytes, values + at * output.element_bytes,
               output.element_bytes);
}

__global__ void keep_kernel(TurningSet set, std::uint64_t now, Kept kept) {
  keep_sample(set, now, threadIdx.x, kept);
}

__global__ void turn_kernel(TurningSet set, std::uint64_t before, std::uint64_t now, Kept kept) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block;
  const std::uint64_t own = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  if (kept.samples != nullptr && own < turn::samples) {
    keep_sample(set, now, static_cast<std::uint32_t>(own), kept);
  }
  for (std::uint32_t i = 0; i < set.count; ++i) {
    const TurningArray& array = set.arrays[i];
    for (std::uint64_t index = own; index < array.array.blocks(); index += threads) {
      if (array.originals != nullptr) {
        change_input(array, index, before, now);
      } else {
        spoil_output(array, index, now);
      }
    }
  }
}

__global__ void noise_kernel(std::byte* memory, std::uint64_t bytes, std::uint64_t seed) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block;
  const std::uint64_t own = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  // Whole words first; cudaMalloc's alignment is kept by every payload.
  auto* words = reinterpret_cast<std::uint64_t*>(memory);
  for (std::uint64_t i = own; i < bytes / 8; i += threads) words[i] = turn::mix(seed + i);
  for (std::uint64_t i = bytes / 8 * 8 + own; i < bytes; i += threads) {
    memory[i] = static_cast<std::byte>(turn::mix(seed + i));
  }
}

__global__ void flush_kernel(std::uint64_t* words, std::uint64_t count) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block;
  const std::uint64_t own = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  for (std::uint64_t i = own; i < count; i += threads) ++words[i];
}

/// Whether samples have to be kept before anything changes.
bool keeps_first(const TurningSet& set) {
  for (std::uint32_t i = 0; i < set.count; ++i) {
    if (set.arrays[i].is_output && turn::is_kept_first(set.arrays[i].array)) return true;
  }
  return false;
}

}  // namespace

void start_keeping(const TurningSet& set, std::uint64_t now, const Kept& kept) {
  if (kept.samples != nullptr) keep_kernel<<<1, turn::samples>>>(set, now, kept);
}

void start_turn(const TurningSet& set, std::uint64_t before, std::uint64_t now, const Kept& kept) {
  const bool is_first = kept.samples != nullptr && keeps_first(set);
  if (is_first) start_keeping(set, now, kept);
  std::uint64_t most = 1;
  for (std::uint32_t i = 0; i < set.count; ++i) {
    const std::uint64_t blocks = set.arrays[i].array.blocks();
    most = blocks > most ? blocks : most;
  }
  turn_kernel<<<blocks_for(most), block>>>(set, before, now, is_first ? Kept{} : kept);
}

void start_noise(std::byte* memory, std::size_t bytes, std::uint64_t seed) {
  if (bytes > 0) noise_kernel<<<blocks_for(bytes / 8 + 8), block>>>(memory, bytes, seed);
}

void start_flush(std::byte* memory, std::size_t bytes) {
  flush_kernel<<<blocks_for(bytes / 8 + 1), block>>>(reinterpret_cast<std::uint64_t*>(memory),
                                                     bytes / 8);
}

}  // namespace tilelab::worker
