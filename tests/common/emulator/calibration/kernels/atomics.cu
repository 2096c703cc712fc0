// Atomic functions: which counters the lanes of a warp meet at. The hardware has one kind of
// request for an atomic whose result is used (atom) and one for an atomic whose result is not
// (red).

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int counters = 1024;

// Adds to the counter that the data name, and does not look at the old value.
__global__ void global_red(const int* value, const int* index, int* counter) {
  const int i = blockIdx.x * warpSize + threadIdx.x;
  atomicAdd(&counter[index[threadIdx.x]], value[i]);
}

// Adds to the counter that the data name, and stores whether the old value was positive.
__global__ void global_atom(const int* value, const int* index, int* counter, int* seen) {
  const int i = blockIdx.x * warpSize + threadIdx.x;
  seen[i] = atomicAdd(&counter[index[threadIdx.x]], value[i]) >= 0;
}

// Adds to the shared counter that the data name, and does not look at the old value.
__global__ void shared_red(const int* value, const int* index, int* counter) {
  __shared__ int tile[counters];
#pragma unroll 1
  for (int k = threadIdx.x; k < counters; k += warpSize) tile[k] = 0;
  __syncthreads();
  atomicAdd(&tile[index[threadIdx.x]], value[blockIdx.x * warpSize + threadIdx.x]);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < counters; k += warpSize) {
    counter[blockIdx.x * counters + k] = tile[k];
  }
}

// Adds the constant 1, for which nvcc has an instruction of its own.
__global__ void shared_increment(const int* index, int* counter) {
  __shared__ int tile[counters];
#pragma unroll 1
  for (int k = threadIdx.x; k < counters; k += warpSize) tile[k] = 0;
  __syncthreads();
  atomicAdd(&tile[index[threadIdx.x]], 1);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < counters; k += warpSize) {
    counter[blockIdx.x * counters + k] = tile[k];
  }
}

// Swaps if equal: one attempt per thread, each at a place of its own.
__global__ void global_compare_and_swap(const int* value, int* place, int* seen) {
  const int i = blockIdx.x * warpSize + threadIdx.x;
  seen[i] = atomicCAS(&place[i], 0, value[i]);
}

std::vector<int> totals(const std::vector<int>& values, const Pattern& lanes) {
  std::vector<int> result(counters, 0);
  for (int i = 0; i < grid * warp_size; ++i) result[lanes.element[i % warp_size]] += values[i];
  return result;
}

Case red_case(const Pattern& lanes) {
  return {"global_red_" + lanes.name, [=] {
            const auto values = generated<int>(grid * warp_size);
            const Array<int> value(values);
            const Array<int> index(lanes.element);
            const Array<int> counter(counters, 0);
            global_red<<<grid, warp_size>>>(value, index, counter);
            return holds(counter, totals(values, lanes));
          }};
}

Case atom_case(const Pattern& lanes) {
  return {"global_atom_" + lanes.name, [=] {
            const auto values = generated<int>(grid * warp_size);
            const Array<int> value(values);
            const Array<int> index(lanes.element);
            const Array<int> counter(counters, 0);
            const Array<int> seen(grid * warp_size, 0);
            global_atom<<<grid, warp_size>>>(value, index, counter, seen);
            return holds(counter, totals(values, lanes)) &&
                   holds(seen, std::vector<int>(grid * warp_size, 1));
          }};
}

Case shared_case(const Pattern& lanes) {
  return {"shared_red_" + lanes.name, [=] {
            const auto values = generated<int>(grid * warp_size);
            const Array<int> value(values);
            const Array<int> index(lanes.element);
            const Array<int> counter(grid * counters, 0);
            shared_red<<<grid, warp_size>>>(value, index, counter);
            std::vector<int> expected(grid * counters, 0);
            for (int i = 0; i < grid * warp_size; ++i) {
              expected[i / warp_size * counters + lanes.element[i % warp_size]] += values[i];
            }
            return holds(counter, expected);
          }};
}

Case increment_case(const Pattern& lanes) {
  return {"shared_increment_" + lanes.name, [=] {
            const Array<int> index(lanes.element);
            const Array<int> counter(grid * counters, 0);
            shared_increment<<<grid, warp_size>>>(index, counter);
            std::vector<int> expected(grid * counters, 0);
            for (int i = 0; i < grid * warp_size; ++i) {
              ++expected[i / warp_size * counters + lanes.element[i % warp_size]];
            }
            return holds(counter, expected);
          }};
}

bool run_compare_and_swap() {
  const auto values = generated<int>(grid * warp_size);
  const Array<int> value(values);
  const Array<int> place(grid * warp_size, 0);
  const Array<int> seen(grid * warp_size, 1);
  global_compare_and_swap<<<grid, warp_size>>>(value, place, seen);
  return holds(place, values) && holds(seen, std::vector<int>(grid * warp_size, 0));
}

std::vector<Case> all() {
  const std::vector<Pattern> patterns = {
      pattern("same_address", [](int) { return 3; }),
      pattern("distinct", [](int l) { return l; }),
      pattern("4_groups", [](int l) { return l % 4; }),
      pattern("4_groups_of_neighbors", [](int l) { return l / 8; }),
      pattern("stride_8", [](int l) { return l * 8; }),
      pattern("stride_32", [](int l) { return l * 32; }),
      pattern("2_banks", [](int l) { return l % 2 + l / 2 * 64; }),
      shuffled(1),
      scattered(counters, 1),
  };
  std::vector<Case> cases = {{"global_compare_and_swap", run_compare_and_swap}};
  for (const Pattern& lanes : patterns) {
    cases.push_back(red_case(lanes));
    cases.push_back(atom_case(lanes));
    cases.push_back(shared_case(lanes));
    cases.push_back(increment_case(lanes));
  }
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
