// Host code that reads what a kernel or a copy writes, before and after it has waited.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr std::size_t bytes = block * sizeof(int);

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

/// Host memory that kernels may use.
struct Pinned {
  explicit Pinned(unsigned flags = cudaHostAllocMapped) {
    cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, flags);
    for (int i = 0; i < block; ++i) data[i] = 0;
  }
  ~Pinned() { cudaFreeHost(data); }
  int* data = nullptr;
};

volatile int seen;  // keeps reads whose value nobody needs

// The launch returns before the kernel is done.
namespace mapped_memory_read_too_early {
__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }  // A
void run() {
  const Pinned pinned;
  kernel<<<1, block>>>(pinned.data);
  seen = pinned.data[3];  // B
  finish();
}
}  // namespace mapped_memory_read_too_early
DETECTOR_CASE(mapped_memory_read_too_early, early_read);

// A loop over all of it.
namespace sum_of_mapped_memory_too_early {
__global__ void kernel(int* data) { atomicAdd(&data[threadIdx.x], 1); }  // A
void run() {
  const Pinned pinned;
  kernel<<<2, block>>>(pinned.data);
  int sum = 0;
  for (int i = 0; i < block; ++i) sum += pinned.data[i];  // B
  seen = sum;
  finish();
}
}  // namespace sum_of_mapped_memory_too_early
DETECTOR_CASE(sum_of_mapped_memory_too_early, early_read);

// Host code waits for another stream.
namespace mapped_memory_after_the_wrong_stream {
__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }  // A
void run() {
  const Pinned pinned;
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  kernel<<<1, block, 0, first>>>(pinned.data);
  cudaStreamSynchronize(second);
  seen = pinned.data[3];  // B
  finish();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
}  // namespace mapped_memory_after_the_wrong_stream
DETECTOR_CASE(mapped_memory_after_the_wrong_stream, early_read);

// The copy goes on when the call returns, because the memory is pinned.
namespace copy_to_pinned_memory_read_too_early {
void run() {
  const Pinned pinned(cudaHostAllocDefault);
  const Array<int> data(ascending(block));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(pinned.data, data, bytes, cudaMemcpyDeviceToHost, stream);
  seen = pinned.data[3];  // A B
  cudaStreamDestroy(stream);
  finish();
}
}  // namespace copy_to_pinned_memory_read_too_early
DETECTOR_CASE(copy_to_pinned_memory_read_too_early, early_read);

__managed__ int managed[block];

namespace managed_variable_read_too_early {
__global__ void kernel() { managed[threadIdx.x] = threadIdx.x; }  // A
void run() {
  kernel<<<1, block>>>();
  seen = managed[5];  // B
  finish();
}
}  // namespace managed_variable_read_too_early
DETECTOR_CASE(managed_variable_read_too_early, early_read);

namespace managed_variable_read_in_time {
__global__ void kernel() { managed[threadIdx.x] = threadIdx.x; }
void run() {
  for (int i = 0; i < 2; ++i) {
    kernel<<<1, block>>>();
    cudaDeviceSynchronize();
    seen = managed[5];
    managed[5] = 0;
  }
}
}  // namespace managed_variable_read_in_time
DETECTOR_CASE(managed_variable_read_in_time, none);

// Whatever host code waits for, the kernel comes before it.
namespace mapped_memory_read_in_time {
void run() {
  const Pinned pinned;
  const Array<int> data(ascending(block));
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  fill<<<1, block, 0, stream>>>(pinned.data);
  cudaStreamSynchronize(stream);
  seen = pinned.data[1];
  fill<<<1, block, 0, stream>>>(pinned.data);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  seen = pinned.data[2];
  fill<<<1, block, 0, stream>>>(pinned.data);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  seen = pinned.data[3];
  fill<<<1, block>>>(pinned.data);
  int host[block];
  cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost);
  seen = pinned.data[4];
  cudaMemcpyAsync(pinned.data, data, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost);
  seen = pinned.data[5];
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  finish();
}
}  // namespace mapped_memory_read_in_time
DETECTOR_CASE(mapped_memory_read_in_time, none);

// A copy to memory that is not pinned is done when the call returns.
namespace copy_to_pageable_memory {
void run() {
  const Pinned pinned;
  const Array<int> data(ascending(block));
  int host[block];
  cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost);
  seen = host[3];
  finish();
}
}  // namespace copy_to_pageable_memory
DETECTOR_CASE(copy_to_pageable_memory, none);

// Host code waits for a flag that the kernel sets when it is done.
namespace host_polls_a_mapped_flag {
__global__ void kernel(int* data, volatile int* flag) {
  data[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}
void run() {
  const Pinned pinned, flag;
  kernel<<<1, block>>>(pinned.data, flag.data);
  const volatile int* const done = flag.data;
  while (*done == 0) {
  }
  seen = pinned.data[3];
  finish();
}
}  // namespace host_polls_a_mapped_flag
DETECTOR_CASE(host_polls_a_mapped_flag, none);

// A function of the host in the same stream runs after the kernel.
namespace host_function_reads_mapped_memory {
void read(void* data) { seen = static_cast<int*>(data)[3]; }
void run() {
  const Pinned pinned;
  fill<<<1, block>>>(pinned.data);
  cudaLaunchHostFunc(nullptr, read, pinned.data);
  finish();
}
}  // namespace host_function_reads_mapped_memory
DETECTOR_CASE(host_function_reads_mapped_memory, none);

// The kernel uses one half, host code the other, and what the kernel only reads.
namespace halves_of_mapped_memory {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
void run() {
  const Pinned in, out;
  kernel<<<1, block / 2>>>(in.data, out.data);
  seen = in.data[3] + out.data[block / 2];
  finish();
}
}  // namespace halves_of_mapped_memory
DETECTOR_CASE(halves_of_mapped_memory, none);

}  // namespace
