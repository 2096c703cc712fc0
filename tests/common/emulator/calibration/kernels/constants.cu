// Constant memory: one address per warp is one request; each further address is another.

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int table_size = 1024;
__constant__ int table[table_size];

// The lanes' addresses come from data: the compiler cannot know whether they are the same.
__global__ void constant_load(const int* index, int* out) {
  out[blockIdx.x * warpSize + threadIdx.x] = table[index[threadIdx.x]];
}

Case constant_case(const Pattern& lanes) {
  return {"constant_" + lanes.name, [=] {
            const auto values = generated<int>(table_size);
            cudaMemcpyToSymbol(table, values.data(), table_size * sizeof(int));
            const Array<int> index(lanes.element);
            const Array<int> out(grid * warp_size);
            constant_load<<<grid, warp_size>>>(index, out);
            std::vector<int> expected(grid * warp_size);
            for (int i = 0; i < grid * warp_size; ++i) {
              expected[i] = values[lanes.element[i % warp_size]];
            }
            return holds(out, expected);
          }};
}

std::vector<Case> all() {
  return {
      constant_case(pattern("uniform", [](int) { return 9; })),
      constant_case(pattern("2_addresses", [](int l) { return l / 16 * 512; })),
      constant_case(pattern("4_addresses", [](int l) { return l % 4 * 128; })),
      constant_case(pattern("4_neighboring_addresses", [](int l) { return l % 4; })),
      constant_case(pattern("32_addresses", [](int l) { return l * 32; })),
      constant_case(pattern("32_neighboring_addresses", [](int l) { return l; })),
  };
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
