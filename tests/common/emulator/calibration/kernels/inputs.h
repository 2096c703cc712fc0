#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "device_array.h"

/// Inputs that are the same on every machine, and the sums by which outputs are checked.
namespace tilelab::calibration {

/// The k-th number of a fixed pseudo-random sequence.
inline std::uint32_t scrambled(std::uint32_t k) {
  k = (k ^ (k >> 16)) * 0x45d9f3bu;
  k = (k ^ (k >> 16)) * 0x45d9f3bu;
  return k ^ (k >> 16);
}

/// `count` values made of scalars from 0 to 99, which a float holds exactly.
template <class T, class Scalar = T>
std::vector<T> generated(std::size_t count) {
  static_assert(sizeof(T) % sizeof(Scalar) == 0);
  std::vector<Scalar> scalars(count * sizeof(T) / sizeof(Scalar));
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    scalars[k] = static_cast<Scalar>(scrambled(static_cast<std::uint32_t>(k)) % 100);
  }
  std::vector<T> values(count);
  std::memcpy(static_cast<void*>(values.data()), scalars.data(), count * sizeof(T));
  return values;
}

/// 0 to count - 1 in a fixed pseudo-random order.
inline std::vector<int> permutation(int count, std::uint32_t seed) {
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int j = static_cast<int>(scrambled(seed * 1000003u + static_cast<std::uint32_t>(i)) %
                                   static_cast<std::uint32_t>(i + 1));
    const int swapped = order[i];
    order[i] = order[j];
    order[j] = swapped;
  }
  return order;
}

// The sum of the components, so that the compiler cannot drop a load.
__host__ __device__ inline int sum(signed char v) { return v; }
__host__ __device__ inline int sum(short v) { return v; }
__host__ __device__ inline int sum(int v) { return v; }
__host__ __device__ inline int sum(double v) { return static_cast<int>(v); }
__host__ __device__ inline int sum(float2 v) { return static_cast<int>(v.x + v.y); }
__host__ __device__ inline int sum(float3 v) { return static_cast<int>(v.x + v.y + v.z); }
__host__ __device__ inline int sum(float4 v) { return static_cast<int>(v.x + v.y + v.z + v.w); }
__host__ __device__ inline int sum(int4 v) { return v.x + v.y + v.z + v.w; }

template <class T>
bool holds(const Array<T>& array, const std::vector<T>& expected) {
  const std::vector<T> values = array.values();
  return cudaGetLastError() == cudaSuccess &&
         std::memcmp(values.data(), expected.data(), expected.size() * sizeof(T)) == 0;
}

}  // namespace tilelab::calibration
