// Global loads and stores: how the lanes' addresses decide how many sectors a request touches.

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int block = 128;
constexpr int threads = grid * block;

// Lane l loads element l * stride + offset.
template <class T>
__global__ void load_linear(const T* in, int* out, int stride, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum(in[i * stride + offset]);
}

// Lane l stores element l * stride + offset.
template <class T>
__global__ void store_linear(const T* in, T* out, int stride, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride + offset] = in[i];
}

// Lane l loads the element that the data name, or none.
template <class T>
__global__ void load_indexed(const T* in, const int* index, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = index[i % warpSize];
  if (k >= 0) out[i] = sum(in[k]);
}

// Lane l stores the element that the data name, or none; warps store to places of their own.
template <class T>
__global__ void store_indexed(const T* in, const int* index, T* out, int elements_per_warp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = index[i % warpSize];
  if (k >= 0) out[i / warpSize * elements_per_warp + k] = in[i];
}

// A warp's lanes lie in two rows, which are `pitch` elements apart.
__global__ void load_two_rows_per_warp(const int* in, int* out, int pitch) {
  const int y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * blockDim.x + threadIdx.x] = in[y * pitch + threadIdx.x];
}

template <class T, class Scalar = T>
Case load_linear_case(const std::string& name, int stride, int offset = 0) {
  return {"load_" + name, [=] {
            const int last = (threads - 1) * stride + offset;
            const auto values = generated<T, Scalar>((last > offset ? last : offset) + 1);
            const Array<T> in(values);
            const Array<int> out(threads);
            load_linear<T><<<grid, block>>>(in, out, stride, offset);
            std::vector<int> expected(threads);
            for (int i = 0; i < threads; ++i) expected[i] = sum(values[i * stride + offset]);
            return holds(out, expected);
          }};
}

template <class T, class Scalar = T>
Case store_linear_case(const std::string& name, int stride, int offset = 0) {
  return {"store_" + name, [=] {
            const int last = (threads - 1) * stride + offset;
            const auto values = generated<T, Scalar>(threads);
            std::vector<T> expected((last > offset ? last : offset) + 1);
            const Array<T> in(values);
            const Array<T> out(expected);
            store_linear<T><<<grid, block>>>(in, out, stride, offset);
            for (int i = 0; i < threads; ++i) expected[i * stride + offset] = values[i];
            return holds(out, expected);
          }};
}

template <class T, class Scalar = T>
Case load_indexed_case(const std::string& type, const Pattern& lanes) {
  return {"load_" + type + lanes.name, [=] {
            constexpr int elements = 4096;
            const auto values = generated<T, Scalar>(elements);
            const Array<T> in(values);
            const Array<int> index(lanes.element);
            std::vector<int> expected(threads, 0);
            const Array<int> out(expected);
            load_indexed<T><<<grid, block>>>(in, index, out);
            for (int i = 0; i < threads; ++i) {
              const int k = lanes.element[i % warp_size];
              if (k != no_element) expected[i] = sum(values[k]);
            }
            return holds(out, expected);
          }};
}

template <class T, class Scalar = T>
Case store_indexed_case(const std::string& type, const Pattern& lanes) {
  return {"store_" + type + lanes.name, [=] {
            constexpr int elements_per_warp = 4096;
            const auto values = generated<T, Scalar>(threads);
            std::vector<T> expected(threads / warp_size * elements_per_warp);
            const Array<T> in(values);
            const Array<int> index(lanes.element);
            const Array<T> out(expected);
            store_indexed<T><<<grid, block>>>(in, index, out, elements_per_warp);
            for (int i = 0; i < threads; ++i) {
              const int k = lanes.element[i % warp_size];
              if (k != no_element) expected[i / warp_size * elements_per_warp + k] = values[i];
            }
            return holds(out, expected);
          }};
}

Case two_rows_case() {
  return {"load_two_rows_per_warp", [] {
            constexpr int width = 16, height = 8, pitch = 44;
            const auto values = generated<int>(grid * height * pitch);
            const Array<int> in(values);
            const Array<int> out(grid * height * width);
            load_two_rows_per_warp<<<grid, dim3(width, height)>>>(in, out, pitch);
            std::vector<int> expected;
            for (int y = 0; y < grid * height; ++y) {
              for (int x = 0; x < width; ++x) expected.push_back(values[y * pitch + x]);
            }
            return holds(out, expected);
          }};
}

std::vector<Case> all() {
  std::vector<Case> cases = {
      load_linear_case<int>("offset_1", 1, 1),
      load_linear_case<int>("offset_8", 1, 8),
      load_linear_case<int>("reversed", -1, threads - 1),
      load_linear_case<int>("broadcast", 0, 5),
      load_linear_case<signed char>("char_stride_1", 1),
      load_linear_case<signed char>("char_stride_3", 3),
      load_linear_case<short>("short_stride_1", 1),
      load_linear_case<short>("short_offset_1", 1, 1),
      load_linear_case<double>("double_stride_1", 1),
      load_linear_case<double>("double_stride_2", 2),
      load_linear_case<float2, float>("float2_stride_1", 1),
      load_linear_case<float2, float>("float2_offset_1", 1, 1),
      load_linear_case<float3, float>("float3_stride_1", 1),
      load_linear_case<float4, float>("float4_stride_1", 1),
      load_linear_case<float4, float>("float4_stride_2", 2),
      load_linear_case<float4, float>("float4_offset_1", 1, 1),
      load_linear_case<float4, float>("float4_broadcast", 0, 3),
      load_linear_case<int4, int>("int4_stride_1", 1),
      store_linear_case<int>("offset_1", 1, 1),
      store_linear_case<int>("reversed", -1, threads - 1),
      store_linear_case<signed char>("char_stride_1", 1),
      store_linear_case<short>("short_stride_1", 1),
      store_linear_case<double>("double_stride_1", 1),
      store_linear_case<float2, float>("float2_stride_1", 1),
      store_linear_case<float3, float>("float3_stride_1", 1),
      store_linear_case<float4, float>("float4_stride_1", 1),
      store_linear_case<float4, float>("float4_stride_2", 2),
      store_linear_case<int4, int>("int4_stride_1", 1),
      load_indexed_case<int>("", pattern("word_shared_by_2_lanes", [](int l) { return l / 2; })),
      load_indexed_case<int>(
          "", pattern("2_groups_far_apart", [](int l) { return l < 16 ? l : 1024 + l; })),
      load_indexed_case<int>("", repeated(256, 1)),
      load_indexed_case<float4, float>("float4_", scattered(4096, 1)),
      load_indexed_case<float4, float>("float4_", shuffled(1)),
      two_rows_case(),
  };
  for (const int stride : {1, 2, 3, 8, 32}) {
    const std::string name = "stride_" + std::to_string(stride);
    cases.push_back(load_linear_case<int>(name, stride));
    cases.push_back(store_linear_case<int>(name, stride));
  }
  std::vector<Pattern> patterns = partly_active();
  patterns.push_back(shuffled(1));
  patterns.push_back(scattered(4096, 1));
  for (const Pattern& lanes : patterns) {
    cases.push_back(load_indexed_case<int>("", lanes));
    cases.push_back(store_indexed_case<int>("", lanes));
  }
  cases.push_back(load_indexed_case<float4, float>("float4_", partly_active()[2]));
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
