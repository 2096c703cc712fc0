// Kernels for which nvcc issues other accesses than the source has. Each says why. They show how
// far the emulator's counts can be from a GPU's.

#include "cases.h"
#include "inputs.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int block = 64;
constexpr int threads = grid * block;
constexpr int warp_size = 32;

struct alignas(8) Pair {
  int id;
  float value;
};

struct alignas(16) Record {
  int id;
  float value[3];
};

struct Packed {
  float x, y, z, w;
};

__device__ int content(const Pair& p) { return p.id + static_cast<int>(p.value); }
__device__ int content(const Record& r) {
  return r.id + static_cast<int>(r.value[0] + r.value[1] + r.value[2]);
}
__device__ int content(const Packed& p) { return static_cast<int>(p.x + p.y + p.z + p.w); }

// Loads a whole struct of the program's own.
template <class T>
__global__ void load_struct(const T* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = content(in[i]);
}

// As loop_with_lane_trips, but the compiler may unroll.
__global__ void unrolled_loop(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  int total = 0;
  for (int k = 0; k < lane; ++k) total += in[k * warpSize + lane];
  out[i] = total;
}

// Each thread moves a window of three elements: the source loads each element three times.
__global__ void sliding_window(const int* __restrict__ in, int* __restrict__ out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    out[k * threads + i] =
        in[k * threads + i] + in[(k + 1) * threads + i] + in[(k + 2) * threads + i];
  }
}

// All threads add to one counter that the compiler knows to be one.
__global__ void count_all(int* counter) { atomicAdd(counter, 1); }

// Shared memory has no atomic addition of floats.
__global__ void shared_float_add(const int* in, int* out) {
  __shared__ float totals[block];
  const int tx = threadIdx.x;
  totals[tx] = 1.0f;
  __syncthreads();
  atomicAdd(&totals[in[tx] % block], 1.0f);
  __syncthreads();
  out[blockIdx.x * block + tx] = static_cast<int>(totals[tx]);
}

__constant__ int factor[4];

// The constant's address is part of the instruction: nvcc needs no load, and no counter counts it.
__global__ void constant_operand(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factor[2];
}

// Every second warp has no lane in the load. nvcc could issue it for them, but does not.
__global__ void warps_without_lanes(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / warpSize % 2 == 0) out[i] = in[i];
}

/// The sum of a struct's words, all of which hold small whole numbers: an int first if `int_first`,
/// floats otherwise.
template <class T>
bool run_load_struct(bool int_first) {
  constexpr int words = sizeof(T) / 4;
  const auto numbers = generated<int>(threads * words);
  std::vector<T> values(threads);
  std::vector<int> expected(threads, 0);
  for (int k = 0; k < threads * words; ++k) {
    const auto number = static_cast<float>(numbers[k]);
    const bool is_int = int_first && k % words == 0;
    std::memcpy(reinterpret_cast<char*>(values.data()) + 4 * k,
                is_int ? static_cast<const void*>(&numbers[k]) : &number, 4);
    expected[k / words] += numbers[k];
  }
  const Array<T> in(values);
  const Array<int> out(threads);
  load_struct<T><<<grid, block>>>(in, out);
  return holds(out, expected);
}

bool run_unrolled_loop() {
  const auto values = generated<int>(warp_size * warp_size);
  const Array<int> in(values);
  const Array<int> out(threads);
  unrolled_loop<<<grid, block>>>(in, out);
  std::vector<int> expected(threads, 0);
  for (int i = 0; i < threads; ++i) {
    const int lane = i % warp_size;
    for (int k = 0; k < lane; ++k) expected[i] += values[k * warp_size + lane];
  }
  return holds(out, expected);
}

bool run_sliding_window() {
  constexpr int steps = 16;
  const auto values = generated<int>((steps + 2) * threads);
  const Array<int> in(values);
  const Array<int> out(steps * threads);
  sliding_window<<<grid, block>>>(in, out, steps);
  std::vector<int> expected(steps * threads);
  for (int k = 0; k < steps * threads; ++k) {
    expected[k] = values[k] + values[k + threads] + values[k + 2 * threads];
  }
  return holds(out, expected);
}

bool run_count_all() {
  const Array<int> counter(1, 0);
  count_all<<<grid, block>>>(counter);
  return holds(counter, {threads});
}

bool run_shared_float_add() {
  const auto values = generated<int>(block);
  const Array<int> in(values);
  const Array<int> out(threads);
  shared_float_add<<<grid, block>>>(in, out);
  std::vector<int> expected(threads, 1);
  for (int i = 0; i < threads; ++i) ++expected[i / block * block + values[i % block] % block];
  return holds(out, expected);
}

bool run_constant_operand() {
  const int factors[4] = {2, 3, 5, 7};
  cudaMemcpyToSymbol(factor, factors, sizeof factors);
  auto values = generated<int>(threads);
  const Array<int> in(values);
  const Array<int> out(threads);
  constant_operand<<<grid, block>>>(in, out);
  for (int& value : values) value *= factors[2];
  return holds(out, values);
}

bool run_warps_without_lanes() {
  const auto values = generated<int>(threads);
  const Array<int> in(values);
  std::vector<int> expected(threads, 0);
  const Array<int> out(expected);
  warps_without_lanes<<<grid, block>>>(in, out);
  for (int i = 0; i < threads; ++i) {
    if (i / warp_size % 2 == 0) expected[i] = values[i];
  }
  return holds(out, expected);
}

std::vector<Case> all() {
  return {
      {"differs_struct_of_8_bytes", [] { return run_load_struct<Pair>(true); },
       "nvcc loads the fields of a struct aligned to 8 bytes together"},
      {"differs_struct_of_16_bytes", [] { return run_load_struct<Record>(true); },
       "nvcc loads the fields of a struct aligned to 16 bytes together"},
      {"struct_of_16_bytes_aligned_to_4", [] { return run_load_struct<Packed>(false); }},
      {"differs_unrolled_loop", run_unrolled_loop,
       "nvcc unrolls the loop: lanes in different passes meet in the remainder's instructions"},
      {"differs_sliding_window", run_sliding_window,
       "nvcc unrolls the loop and keeps elements that the next pass needs in registers"},
      {"differs_atomic_at_one_address", run_count_all,
       "nvcc adds up the lanes of a warp first, and one lane adds their sum"},
      {"differs_shared_float_atomic", run_shared_float_add,
       "nvcc makes a loop of loads and compare-and-swaps of it"},
      {"constant_operand", run_constant_operand},
      {"warps_without_lanes", run_warps_without_lanes},
  };
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
