// Work of several streams on one buffer.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr std::size_t bytes = block * sizeof(int);

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

/// Two streams, which are destroyed with it.
struct Streams {
  explicit Streams(unsigned flags = cudaStreamDefault) {
    cudaStreamCreateWithFlags(&first, flags);
    cudaStreamCreateWithFlags(&second, flags);
  }
  ~Streams() {
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
  cudaStream_t first{}, second{};
};

// One stream writes what the other reads.
namespace streams_share_a_buffer {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }        // A
__global__ void read(const int* in, int* out) { out[threadIdx.x] = in[0]; }  // B
void run() {
  const Array<int> data(block), out(block);
  const Streams streams;
  write<<<1, block, 0, streams.first>>>(data);
  read<<<1, block, 0, streams.second>>>(data, out);
  finish();
}
}  // namespace streams_share_a_buffer
DETECTOR_CASE(streams_share_a_buffer, stream_race);

// Each half of the data has its own stream.
namespace streams_have_halves {
void run() {
  const Array<int> data(2 * block), out(2 * block);
  const Streams streams;
  for (int i = 0; i < 2; ++i) {
    const cudaStream_t stream = i == 0 ? streams.first : streams.second;
    fill<<<1, block, 0, stream>>>(data + i * block);
    twice<<<1, block, 0, stream>>>(data + i * block, out + i * block);
  }
  finish();
}
}  // namespace streams_have_halves
DETECTOR_CASE(streams_have_halves, none);

// Both read the same buffer.
namespace streams_read_one_buffer {
void run() {
  const Array<int> data(ascending(block)), a(block), b(block);
  const Streams streams;
  twice<<<1, block, 0, streams.first>>>(data, a);
  twice<<<1, block, 0, streams.second>>>(data, b);
  finish();
}
}  // namespace streams_read_one_buffer
DETECTOR_CASE(streams_read_one_buffer, none);

// The second stream waits for an event of the first.
namespace streams_with_an_event {
void run() {
  const Array<int> data(block), out(block);
  const Streams streams(cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  fill<<<1, block, 0, streams.first>>>(data);
  cudaEventRecord(filled, streams.first);
  cudaStreamWaitEvent(streams.second, filled, 0);
  twice<<<1, block, 0, streams.second>>>(data, out);
  finish();
  cudaEventDestroy(filled);
}
}  // namespace streams_with_an_event
DETECTOR_CASE(streams_with_an_event, none);

// The event is recorded before the kernel that it is meant to wait for.
namespace streams_with_an_early_event {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }                  // A
__global__ void read(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // B
void run() {
  const Array<int> data(block), out(block);
  const Streams streams;
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaEventRecord(filled, streams.first);
  write<<<1, block, 0, streams.first>>>(data);
  cudaStreamWaitEvent(streams.second, filled, 0);
  read<<<1, block, 0, streams.second>>>(data, out);
  finish();
  cudaEventDestroy(filled);
}
}  // namespace streams_with_an_early_event
DETECTOR_CASE(streams_with_an_early_event, stream_race);

// The host waits in between: for the stream, for an event, for the device.
namespace streams_and_the_host_waits {
void run() {
  const Array<int> data(block), out(block);
  const Streams streams(cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, block, 0, streams.first>>>(data);
  cudaStreamSynchronize(streams.first);
  twice<<<1, block, 0, streams.second>>>(data, out);
  cudaEventRecord(filled, streams.second);
  cudaEventSynchronize(filled);
  fill<<<1, block, 0, streams.first>>>(data);
  cudaDeviceSynchronize();
  twice<<<1, block, 0, streams.second>>>(data, out);
  finish();
  cudaEventDestroy(filled);
}
}  // namespace streams_and_the_host_waits
DETECTOR_CASE(streams_and_the_host_waits, none);

// The default stream waits for others, and they wait for it.
namespace streams_and_the_default_stream {
void run() {
  const Array<int> data(block), out(block);
  const Streams streams;
  fill<<<1, block, 0, streams.first>>>(data);
  twice<<<1, block>>>(data, out);
  fill<<<1, block, 0, streams.second>>>(data);
  finish();
}
}  // namespace streams_and_the_default_stream
DETECTOR_CASE(streams_and_the_default_stream, none);

// But not if they are told not to.
namespace streams_that_do_not_block {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }                  // A
__global__ void read(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // B
void run() {
  const Array<int> data(block), out(block);
  const Streams streams(cudaStreamNonBlocking);
  write<<<1, block, 0, streams.first>>>(data);
  read<<<1, block>>>(data, out);
  finish();
}
}  // namespace streams_that_do_not_block
DETECTOR_CASE(streams_that_do_not_block, stream_race);

// The copy to the host does not wait for the kernel of the other stream.
namespace streams_copy_too_early {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }  // A
void run() {
  const Array<int> data(std::vector<int>(block, 0));
  const Streams streams;
  int* host = nullptr;
  cudaMallocHost(&host, bytes);
  write<<<1, block, 0, streams.first>>>(data);
  cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, streams.second);
  finish();
  cudaFreeHost(host);
}
}  // namespace streams_copy_too_early
DETECTOR_CASE(streams_copy_too_early, copy_race);

// Copies and kernels overlap, each chunk in its own stream, as it should be.
namespace streams_overlap_copies {
void run() {
  constexpr int chunks = 4;
  const Array<int> in(chunks * block), out(chunks * block);
  const Streams streams(cudaStreamNonBlocking);
  int* host = nullptr;
  cudaMallocHost(&host, chunks * bytes);
  for (int i = 0; i < chunks * block; ++i) host[i] = i;
  for (int i = 0; i < chunks; ++i) {
    const cudaStream_t stream = i % 2 == 0 ? streams.first : streams.second;
    const int at = i * block;
    cudaMemcpyAsync(in + at, host + at, bytes, cudaMemcpyHostToDevice, stream);
    twice<<<1, block, 0, stream>>>(in + at, out + at);
    cudaMemcpyAsync(host + at, out + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  finish();
  cudaFreeHost(host);
}
}  // namespace streams_overlap_copies
DETECTOR_CASE(streams_overlap_copies, none);

// A copy between host and device with cudaMemcpy() waits for the default stream, and the host for
// it.
namespace streams_and_plain_copies {
void run() {
  const Array<int> data(block), out(block);
  const Streams streams(cudaStreamNonBlocking);
  std::vector<int> host(block, 1);
  cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice);
  twice<<<1, block, 0, streams.first>>>(data, out);
  cudaStreamSynchronize(streams.first);
  cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaMemset(out, 0, bytes);
  cudaDeviceSynchronize();
  twice<<<1, block, 0, streams.second>>>(data, out);
  finish();
}
}  // namespace streams_and_plain_copies
DETECTOR_CASE(streams_and_plain_copies, none);

// cudaMemset() returns before it has filled the buffer that the other stream writes.
namespace streams_and_a_memset {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }  // A
void run() {
  const Array<int> data(block);
  const Streams streams(cudaStreamNonBlocking);
  cudaMemset(data, 0, bytes);
  write<<<1, block, 0, streams.first>>>(data);
  finish();
}
}  // namespace streams_and_a_memset
DETECTOR_CASE(streams_and_a_memset, copy_race);

// Both streams count in one place, atomically.
namespace streams_count_together {
__global__ void count(int* total) { atomicAdd(total, 1); }
void run() {
  const Array<int> total(1, 0);
  const Streams streams;
  count<<<1, block, 0, streams.first>>>(total);
  count<<<1, block, 0, streams.second>>>(total);
  finish();
}
}  // namespace streams_count_together
DETECTOR_CASE(streams_count_together, none);

// A copy of three dimensions is its stream's work.
namespace streams_and_a_box {
void run() {
  const Array<int> data(block), out(block);
  const Streams streams(cudaStreamNonBlocking);
  cudaMemcpy3DParms box{};
  box.srcPtr = make_cudaPitchedPtr(static_cast<int*>(data), bytes / 2, bytes / 2, 2);
  box.dstPtr = make_cudaPitchedPtr(static_cast<int*>(out), bytes / 2, bytes / 2, 2);
  box.extent = make_cudaExtent(bytes / 2, 2, 1);
  box.kind = cudaMemcpyDeviceToDevice;
  fill<<<1, block, 0, streams.first>>>(data);
  cudaMemcpy3DAsync(&box, streams.first);
  twice<<<1, block, 0, streams.first>>>(out, data);
  finish();
}
}  // namespace streams_and_a_box
DETECTOR_CASE(streams_and_a_box, none);

// The words in the middle belong to both streams.
namespace streams_and_bytes_of_a_word {
__global__ void fill_from(char* data, int first) { data[first + threadIdx.x] = 1; }
void run() {
  const Array<char> data(100);
  const Streams streams;
  fill_from<<<1, 50, 0, streams.first>>>(data, 0);
  fill_from<<<1, 50, 0, streams.second>>>(data, 50);
  finish();
}
}  // namespace streams_and_bytes_of_a_word
DETECTOR_CASE(streams_and_bytes_of_a_word, none);

namespace streams_share_a_byte {
__global__ void fill_from(char* data, int first) {
  data[first + threadIdx.x] = 1;  // A B
}
void run() {
  const Array<char> data(100);
  const Streams streams;
  fill_from<<<1, 50, 0, streams.first>>>(data, 0);
  fill_from<<<1, 50, 0, streams.second>>>(data, 49);
  finish();
}
}  // namespace streams_share_a_byte
DETECTOR_CASE(streams_share_a_byte, stream_race);

}  // namespace
