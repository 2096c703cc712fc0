// Control flow: which lanes of a warp are together in an access. The two sides of a branch have
// accesses of different sizes, so that no compiler can make one access of them, and loops are not
// unrolled, so that a line of the source is one instruction.

#include "cases.h"
#include "inputs.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int block = 64;
constexpr int threads = grid * block;
constexpr int warp_size = 32;

// Each side of the branch makes its own requests, with its own lanes.
__global__ void if_else(const int* in, const int* small, const double* large, int* small_out,
                        double* large_out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 2 == 0) {
    small_out[i] = small[i];
  } else {
    large_out[i] = large[i];
  }
}

// Lane l runs l rounds of the loop, so each round has one lane fewer.
__global__ void loop_with_lane_trips(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  int total = 0;
#pragma unroll 1
  for (int k = 0; k < lane; ++k) total += in[k * warpSize + lane];
  out[i] = total;
}

// In each round of the outer loop some lanes skip the inner one, and all meet after it.
__global__ void nested_loops(const int* trips, const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0;
#pragma unroll 1
  for (int outer = 0; outer < 4; ++outer) {
    const int count = trips[outer * threads + i];
#pragma unroll 1
    for (int inner = 0; inner < count; ++inner) total += in[inner * threads + i];
  }
  out[i] = total;
}

// Some lanes return before the loads, scattered over the warp.
__global__ void early_return(const int* alive, const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (alive[i] == 0) return;
  out[i] = in[i] + in[i + threads];
}

// The usual guard: the last warp is partly active, and no warp is inactive.
__global__ void guarded_tail(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

bool run_if_else() {
  const auto values = generated<int>(threads);
  const auto large_values = generated<double>(threads);
  const Array<int> in(values);
  const Array<double> large(large_values);
  const Array<int> small_out(threads, 0);
  const Array<double> large_out(threads, 0);
  if_else<<<grid, block>>>(in, in, large, small_out, large_out);
  std::vector<int> expected_small(threads, 0);
  std::vector<double> expected_large(threads, 0);
  for (int i = 0; i < threads; ++i) {
    if (values[i] % 2 == 0) {
      expected_small[i] = values[i];
    } else {
      expected_large[i] = large_values[i];
    }
  }
  return holds(small_out, expected_small) && holds(large_out, expected_large);
}

bool run_loop_with_lane_trips() {
  const auto values = generated<int>(warp_size * warp_size);
  const Array<int> in(values);
  const Array<int> out(threads);
  loop_with_lane_trips<<<grid, block>>>(in, out);
  std::vector<int> expected(threads, 0);
  for (int i = 0; i < threads; ++i) {
    const int lane = i % warp_size;
    for (int k = 0; k < lane; ++k) expected[i] += values[k * warp_size + lane];
  }
  return holds(out, expected);
}

bool run_nested_loops() {
  constexpr int most_trips = 4;
  std::vector<int> trip_counts = generated<int>(4 * threads);
  for (int& count : trip_counts) count %= most_trips;
  const auto values = generated<int>(most_trips * threads);
  const Array<int> trips(trip_counts);
  const Array<int> in(values);
  const Array<int> out(threads);
  nested_loops<<<grid, block>>>(trips, in, out);
  std::vector<int> expected(threads, 0);
  for (int k = 0; k < 4 * threads; ++k) {
    for (int inner = 0; inner < trip_counts[k]; ++inner) {
      expected[k % threads] += values[inner * threads + k % threads];
    }
  }
  return holds(out, expected);
}

bool run_early_return() {
  std::vector<int> alive_flags = generated<int>(threads);
  for (int& flag : alive_flags) flag %= 3;
  const auto values = generated<int>(2 * threads);
  const Array<int> alive(alive_flags);
  const Array<int> in(values);
  std::vector<int> expected(threads, 0);
  const Array<int> out(expected);
  early_return<<<grid, block>>>(alive, in, out);
  for (int i = 0; i < threads; ++i) {
    if (alive_flags[i] != 0) expected[i] = values[i] + values[i + threads];
  }
  return holds(out, expected);
}

bool run_guarded_tail() {
  constexpr int n = threads - 21;
  const auto values = generated<int>(n);
  const Array<int> in(values);
  const Array<int> out(n);
  guarded_tail<<<grid, block>>>(in, out, n);
  return holds(out, values);
}

std::vector<Case> all() {
  return {
      {"if_else", run_if_else},           {"loop_with_lane_trips", run_loop_with_lane_trips},
      {"nested_loops", run_nested_loops}, {"early_return", run_early_return},
      {"guarded_tail", run_guarded_tail},
  };
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
