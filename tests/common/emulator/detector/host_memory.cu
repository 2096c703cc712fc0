// Host memory that kernels may use, because it was mapped, and host memory that they may not.

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 64;
constexpr std::size_t bytes = block * sizeof(int);

// The kernel works on pinned memory through the device's pointer to it.
namespace mapped_host_memory {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
void run() {
  int *in = nullptr, *out = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&in), bytes, cudaHostAllocMapped);
  cudaHostAlloc(reinterpret_cast<void**>(&out), bytes, cudaHostAllocMapped);
  for (int i = 0; i < block; ++i) in[i] = i;
  int *device_in = nullptr, *device_out = nullptr;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_in), in, 0);
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_out), out, 0);
  kernel<<<1, block>>>(device_in, device_out);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < block; ++i) sum += out[i];
  in[0] = sum;
  kernel<<<1, block>>>(device_in, device_out);
  finish();
  cudaFreeHost(in);
  cudaFreeHost(out);
}
}  // namespace mapped_host_memory
DETECTOR_CASE(mapped_host_memory, none);

// With one address space for host and device, the host's pointer is the device's.
namespace pinned_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }
void run() {
  int* data = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&data), bytes);
  for (int i = 0; i < block; ++i) data[i] = i;
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace pinned_host_memory
DETECTOR_CASE(pinned_host_memory, none);

// Memory that the program allocated itself is pinned and mapped afterwards.
namespace registered_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }
void run() {
  std::vector<int> values(block, 1);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterMapped);
  int* data = nullptr;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&data), values.data(), 0);
  kernel<<<1, block>>>(data);
  finish();
  cudaHostUnregister(values.data());
}
}  // namespace registered_host_memory
DETECTOR_CASE(registered_host_memory, none);

// One element past the end of the mapped memory.
namespace past_the_end_of_mapped_memory {
__global__ void kernel(int* data) { data[threadIdx.x + 1] = 1; }  // A
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace past_the_end_of_mapped_memory
DETECTOR_CASE(past_the_end_of_mapped_memory, out_of_bounds);

// All threads store to one element of mapped memory.
namespace race_in_mapped_memory {
__global__ void kernel(int* data) { data[0] = threadIdx.x; }  // A B
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace race_in_mapped_memory
DETECTOR_CASE(race_in_mapped_memory, global_race);

// The memory was unpinned before the launch.
namespace host_memory_after_free {
__global__ void kernel(int* data) { data[threadIdx.x] = 1; }  // A
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  cudaFreeHost(data);
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace host_memory_after_free
DETECTOR_CASE(host_memory_after_free, out_of_bounds);

// Memory that nobody pinned.
namespace pageable_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }  // A
void run() {
  std::vector<int> values(block, 1);
  kernel<<<1, block>>>(values.data());
  finish();
}
}  // namespace pageable_host_memory
DETECTOR_CASE(pageable_host_memory, out_of_bounds);

}  // namespace
