// Blocks of a cluster that read and write each other's shared memory.

#include <cooperative_groups.h>

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

namespace cg = cooperative_groups;

constexpr int grid = 4;
constexpr int cluster_blocks = 2;
constexpr int tile_elements = 1088;

// Lane l loads the slot of the other block that the data name, or none.
__global__ void __cluster_dims__(cluster_blocks) load(const int* in, const int* index, int* out) {
  __shared__ int tile[tile_elements];
  const auto cluster = cg::this_cluster();
#pragma unroll 1
  for (int k = threadIdx.x; k < tile_elements; k += warpSize) tile[k] = in[k];
  cluster.sync();
  const int* const others = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
  const int k = index[threadIdx.x];
  if (k >= 0) out[blockIdx.x * warpSize + threadIdx.x] = others[k];
  cluster.sync();
}

// Lane l stores to the slot of the other block that the data name, or to none.
__global__ void __cluster_dims__(cluster_blocks) store(const int* in, const int* index, int* out) {
  __shared__ int tile[tile_elements];
  const auto cluster = cg::this_cluster();
  const int i = blockIdx.x * warpSize + threadIdx.x;
  cluster.sync();
  int* const others = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
  const int k = index[threadIdx.x];
  if (k >= 0) others[k] = in[i];
  cluster.sync();
  if (k >= 0) out[i] = tile[k];
}

// Lane l adds 1 to the counter of the other block that the data name, or to none.
__global__ void __cluster_dims__(cluster_blocks) add(const int* index, int* out) {
  __shared__ int counters[warp_size];
  const auto cluster = cg::this_cluster();
  counters[threadIdx.x] = 0;
  cluster.sync();
  int* const others = cluster.map_shared_rank(counters, 1 - cluster.block_rank());
  const int k = index[threadIdx.x];
  if (k >= 0) atomicAdd(&others[k], 1);
  cluster.sync();
  out[blockIdx.x * warpSize + threadIdx.x] = counters[threadIdx.x];
}

Case load_case(const Pattern& lanes) {
  return {"cluster_load_" + lanes.name, [=] {
            const auto values = generated<int>(tile_elements);
            const Array<int> in(values), index(lanes.element);
            std::vector<int> expected(grid * warp_size, 0);
            const Array<int> out(expected);
            load<<<grid, warp_size>>>(in, index, out);
            for (int i = 0; i < grid * warp_size; ++i) {
              const int k = lanes.element[i % warp_size];
              if (k != no_element) expected[i] = values[k];
            }
            return holds(out, expected);
          }};
}

Case store_case(const Pattern& lanes) {
  return {"cluster_store_" + lanes.name, [=] {
            const auto values = generated<int>(grid * warp_size);
            const Array<int> in(values), index(lanes.element);
            std::vector<int> expected(grid * warp_size, 0);
            const Array<int> out(expected);
            store<<<grid, warp_size>>>(in, index, out);
            for (int i = 0; i < grid * warp_size; ++i) {
              const int other_block = i / warp_size ^ 1;
              if (lanes.element[i % warp_size] != no_element) {
                expected[i] = values[other_block * warp_size + i % warp_size];
              }
            }
            return holds(out, expected);
          }};
}

Case add_case(const Pattern& lanes) {
  return {"cluster_add_" + lanes.name, [=] {
            const Array<int> index(lanes.element);
            const Array<int> out(grid * warp_size);
            add<<<grid, warp_size>>>(index, out);
            std::vector<int> expected(grid * warp_size, 0);
            for (int block = 0; block < grid; ++block) {
              for (const int k : lanes.element) {
                if (k != no_element) ++expected[block * warp_size + k];
              }
            }
            return holds(out, expected);
          }};
}

std::vector<Case> all() {
  std::vector<Case> cases;
  std::vector<Pattern> different = partly_active();
  for (const int stride : {1, 2, 4, 32}) {
    different.push_back(
        pattern("stride_" + std::to_string(stride), [=](int l) { return l * stride; }));
  }
  different.push_back(scattered(tile_elements, 1));
  for (const Pattern& lanes : different) {
    cases.push_back(load_case(lanes));
    cases.push_back(store_case(lanes));
  }
  cases.push_back(load_case(pattern("broadcast", [](int) { return 7; })));
  cases.push_back(add_case(shuffled(1)));
  cases.push_back(add_case(pattern("shared_by_2_lanes", [](int l) { return l / 2; })));
  cases.push_back(add_case(pattern("shared_by_all_lanes", [](int) { return 3; })));
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
