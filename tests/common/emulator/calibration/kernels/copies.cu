// Asynchronous copies from global to shared memory: what each lane copies is data, too.

#include <cuda_pipeline.h>

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int tile_elements = 1088;

// Lane l copies the element of `in` that the data name into the slot that they name, or none. The
// slot is volatile, or else some compilers read it only for lanes that copy.
template <class T>
__global__ void copy(const T* in, const int* from, const volatile int* to, int* out) {
  __shared__ T tile[tile_elements];
  const int source = from[threadIdx.x];
  const int slot = to[threadIdx.x];
  if (source >= 0) __pipeline_memcpy_async(&tile[slot], &in[source], sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (source >= 0) out[blockIdx.x * warpSize + threadIdx.x] = sum(tile[slot]);
}

template <class T, class Scalar>
Case copy_case(const std::string& type, const Pattern& from, const Pattern& to) {
  return {"copy_" + type + '_' + from.name + "_to_" + to.name, [=] {
            const auto values = generated<T, Scalar>(tile_elements);
            const Array<T> in(values);
            const Array<int> sources(from.element), slots(to.element);
            std::vector<int> expected(grid * warp_size, 0);
            const Array<int> out(expected);
            copy<T><<<grid, warp_size>>>(in, sources, slots, out);
            for (int i = 0; i < grid * warp_size; ++i) {
              const int k = from.element[i % warp_size];
              if (k != no_element) expected[i] = sum(values[k]);
            }
            return holds(out, expected);
          }};
}

Pattern strided(int stride) {
  return pattern("stride_" + std::to_string(stride), [=](int l) { return l * stride; });
}

template <class T, class Scalar>
void add(std::vector<Case>& cases, const std::string& type) {
  cases.push_back(copy_case<T, Scalar>(type, strided(1), strided(1)));
  for (const int stride : {2, 4, 8, 32}) {
    cases.push_back(copy_case<T, Scalar>(type, strided(stride), strided(1)));
    cases.push_back(copy_case<T, Scalar>(type, strided(1), strided(stride)));
  }
  cases.push_back(copy_case<T, Scalar>(type, strided(32), strided(32)));
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    cases.push_back(copy_case<T, Scalar>(type, scattered(tile_elements, seed), strided(1)));
    cases.push_back(copy_case<T, Scalar>(type, strided(1), scattered(tile_elements, seed)));
  }
  for (const Pattern& lanes : partly_active()) {
    cases.push_back(copy_case<T, Scalar>(type, lanes, strided(1)));
  }
}

std::vector<Case> all() {
  std::vector<Case> cases;
  add<int, int>(cases, "int");
  add<float2, float>(cases, "float2");
  add<float4, float>(cases, "float4");
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
