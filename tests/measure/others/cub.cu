// CUB's adjacent differences and its sum behind plain C functions. `temporary` is device memory
// that CUB works in; with a null pointer it says in `bytes` how much it wants.

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>

extern "C" int cub_adjacent_difference(const int* in, int* out, int n, void* temporary,
                                       size_t* bytes) {
  return cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, *bytes, in, out, n,
                                                         cuda::std::minus<>());
}

extern "C" int cub_transform(const int* in, int* out, int n) {
  return cub::DeviceTransform::Transform(cuda::std::make_tuple(in + 1, in), out + 1, n - 1,
                                         cuda::std::minus<>());
}

extern "C" int cub_sum(const float* in, float* out, int n, void* temporary, size_t* bytes) {
  return cub::DeviceReduce::Sum(temporary, *bytes, in, out, n);
}
