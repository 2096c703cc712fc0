#include <set>

#include "device.h"

namespace {

constexpr int poison = 0x7ffbadba;

__constant__ int coefficients[4] = {1, 2, 3, 4};
__device__ float offset_by = 0.5f;

__global__ void read_symbols(float* out) {
  out[threadIdx.x] = static_cast<float>(coefficients[threadIdx.x]) + offset_by;
}

__global__ void double_all(int* data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] *= 2;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
  REQUIRE(cudaGetLastError() == error);
  return error;
}

}  // namespace

TEST_CASE("fresh device memory is poisoned, aligned and apart from its neighbors") {
  std::set<char*> blocks;
  for (const std::size_t bytes : {1, 4, 255, 256, 257, 4096}) {
    char* block = nullptr;
    REQUIRE(cudaMalloc(&block, bytes) == cudaSuccess);
    REQUIRE(reinterpret_cast<std::uintptr_t>(block) % 256 == 0);
    for (char* other : blocks) REQUIRE(std::abs(block - other) >= 256);
    blocks.insert(block);
  }
  DeviceArray<int> fresh(10);
  REQUIRE(fresh.values() == std::vector<int>(10, poison));
  const float nan = fresh.values()[0] == poison ? __int_as_float(poison) : 0;
  REQUIRE(std::isnan(nan));
  for (char* block : blocks) REQUIRE(cudaFree(block) == cudaSuccess);
}

TEST_CASE("live allocations are counted, and freed memory is reused") {
  const auto before = tilelab::emulator::live_allocations();
  void *first = nullptr, *second = nullptr;
  cudaMalloc(&first, 1000);
  cudaMalloc(&second, 1000);
  REQUIRE(tilelab::emulator::live_allocations() == before + 2);
  void* const place = first;
  REQUIRE(cudaFree(first) == cudaSuccess);
  REQUIRE(tilelab::emulator::live_allocations() == before + 1);
  cudaMalloc(&first, 900);
  REQUIRE(first == place);
  cudaFree(first);
  cudaFree(second);
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(tilelab::emulator::live_allocations() == before);
}

TEST_CASE("freeing what was not allocated is an invalid value") {
  int host = 0;
  DeviceArray<int> device(10);
  REQUIRE(cudaFree(&host) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(device + 1) == cudaErrorInvalidValue);
  void* twice = nullptr;
  cudaMalloc(&twice, 4);
  REQUIRE(cudaFree(twice) == cudaSuccess);
  REQUIRE(cudaFree(twice) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what does not fit is out of memory, and 0 bytes are a null pointer") {
  void* pointer = &pointer;
  REQUIRE(cudaMalloc(&pointer, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  REQUIRE(pointer == nullptr);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  REQUIRE(cudaMalloc(&pointer, 0) == cudaSuccess);
  REQUIRE(pointer == nullptr);
  std::size_t free_bytes = 0, total_bytes = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess);
  REQUIRE(free_bytes <= total_bytes);
  REQUIRE(total_bytes >= std::size_t{64} << 20);
}

TEST_CASE("copies follow their direction, or are invalid") {
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  DeviceArray<int> device(4), other(4);
  REQUIRE(copy(device, host, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(copy(other, device, 16, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(copy(back, other, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(std::memcmp(host, back, 16) == 0);
  REQUIRE(copy(back, host, 16, cudaMemcpyHostToHost) == cudaSuccess);
  REQUIRE(copy(back, other, 16, cudaMemcpyDefault) == cudaSuccess);

  REQUIRE(copy(host, device, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(copy(device, host, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  REQUIRE(copy(device, host, 20, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(copy(device + 1, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(copy(nullptr, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(copy(device, host, 16, static_cast<cudaMemcpyKind>(9)) ==
          cudaErrorInvalidMemcpyDirection);
  REQUIRE(copy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset(host, 0, 16) == cudaErrorInvalidValue);
  REQUIRE(cudaMemset(device, 0, 17) == cudaErrorInvalidValue);
  REQUIRE(cudaMemsetAsync(device, 0x11, 16) == cudaSuccess);
  REQUIRE(device.values() == std::vector<int>(4, 0x11111111));
  cudaGetLastError();
}

TEST_CASE("two-dimensional copies keep pitches apart") {
  char* device = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&device, &pitch, 10, 3) == cudaSuccess);
  REQUIRE(pitch % 512 == 0);
  const char host[3 * 12 + 1] = "abcdefghij__klmnopqrst__uvwxyzABCD__";
  REQUIRE(cudaMemset2D(device, pitch, '.', 10, 3) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(device, pitch, host, 12, 9, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  char back[31] = {};
  REQUIRE(cudaMemcpy2D(back, 10, device, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(std::string(back) == "abcdefghi.klmnopqrs.uvwxyzABC.");
  REQUIRE(cudaMemcpy2D(back, 8, device, pitch, 10, 3, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidPitchValue);
  cudaFree(device);
}

TEST_CASE("constant and device variables are read by kernels and copied by name") {
  DeviceArray<float> out(4);
  const int values[4] = {10, 20, 30, 40};
  REQUIRE(cudaMemcpyToSymbol(coefficients, values, sizeof values) == cudaSuccess);
  REQUIRE(cudaMemcpyToSymbol(coefficients, values, sizeof(int), 3 * sizeof(int)) == cudaSuccess);
  const float half = 0.25f;
  REQUIRE(cudaMemcpyToSymbol(offset_by, &half, sizeof half) == cudaSuccess);
  read_symbols<<<1, 4>>>(out);
  REQUIRE(out.values() == std::vector<float>{10.25f, 20.25f, 30.25f, 10.25f});

  int back[4] = {};
  REQUIRE(cudaMemcpyFromSymbol(back, coefficients, sizeof back) == cudaSuccess);
  REQUIRE(back[3] == 10);
  void* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(&address, offset_by) == cudaSuccess);
  REQUIRE(cudaMemset(address, 0, sizeof(float)) == cudaSuccess);
  float zero = 1;
  REQUIRE(cudaMemcpyFromSymbol(&zero, offset_by, sizeof zero) == cudaSuccess);
  REQUIRE(zero == 0);
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolSize(&bytes, coefficients) == cudaSuccess);
  REQUIRE(bytes == 16);

  REQUIRE(cudaMemcpyToSymbol(coefficients, values, 20) == cudaErrorInvalidValue);
  int local = 0;
  REQUIRE(cudaMemcpyToSymbol(local, values, 4) == cudaErrorInvalidSymbol);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidSymbol);
}

TEST_CASE("pinned and registered host memory is host memory") {
  int* host = nullptr;
  REQUIRE(cudaMallocHost(&host, 40) == cudaSuccess);
  host[9] = 7;
  REQUIRE(cudaFreeHost(host) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&host, 40, cudaHostAllocMapped) == cudaSuccess);
  int* mapped = nullptr;
  REQUIRE(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped), host, 0) == cudaSuccess);
  for (int i = 0; i < 10; ++i) host[i] = i;
  double_all<<<1, 4>>>(mapped, 10);
  REQUIRE(host[9] == 18);
  REQUIRE(cudaFreeHost(host) == cudaSuccess);
  int local[4];
  REQUIRE(cudaHostRegister(local, sizeof local, 0) == cudaSuccess);
  REQUIRE(cudaHostRegister(local + 1, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
  REQUIRE(cudaHostUnregister(local) == cudaSuccess);
  REQUIRE(cudaHostUnregister(local) == cudaErrorHostMemoryNotRegistered);
  REQUIRE(cudaHostRegister(local, sizeof local, 0) == cudaSuccess);
  REQUIRE(cudaHostUnregister(local) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("only programs of their own have managed memory") {
  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 4) == cudaErrorNotSupported);
  REQUIRE(std::string(tilelab::emulator::fault_message()).find("cannot use managed memory") !=
          std::string::npos);
  REQUIRE(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE("a pointer's attributes say whether it is the device's") {
  DeviceArray<int> device(4);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, device + 2) == cudaSuccess);
  REQUIRE(attributes.type == cudaMemoryTypeDevice);
  int host = 0;
  REQUIRE(cudaPointerGetAttributes(&attributes, &host) == cudaSuccess);
  REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  REQUIRE(cudaPointerGetAttributes(&attributes, pinned + 1) == cudaSuccess);
  REQUIRE((attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned + 1));
  REQUIRE(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("a stream has the flags that it was created with") {
  unsigned flags = 7;
  REQUIRE((cudaStreamGetFlags(nullptr, &flags) == cudaSuccess && flags == cudaStreamDefault));
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE((cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking));
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("stream-ordered allocation and copies work") {
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  int* device = nullptr;
  int host[2] = {3, 4};
  REQUIRE(cudaMallocAsync(&device, 8, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(device, host, 8, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  double_all<<<1, 1, 0, stream>>>(device, 2);
  REQUIRE(cudaMemcpyAsync(host, device, 8, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cudaFreeAsync(device, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE((host[0] == 6 && host[1] == 8));
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
}

namespace {

/// An array of a caller, which only copies can touch.
struct HostArray {
  static constexpr std::size_t bytes = 4 * sizeof(int);
  int* data = static_cast<int*>(tilelab::emulator::allocate_host_array(bytes));
  ~HostArray() { tilelab::emulator::release_host_array(data); }
};

/// What is said of a copy that must be refused.
std::string refusal_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  REQUIRE(copy(to, from, bytes, kind) == cudaErrorInvalidValue);
  return tilelab::emulator::fault_message();
}

}  // namespace

TEST_CASE("a caller's array is copied to the device and back") {
  HostArray from, to;
  const std::vector<int> values = {1, 2, 3, 4};
  DeviceArray<int> device(4);
  REQUIRE(copy(from.data, values.data(), from.bytes, cudaMemcpyHostToHost) == cudaSuccess);
  tilelab::emulator::begin_call(false);
  REQUIRE(copy(device, from.data, from.bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  double_all<<<1, 2>>>(device, 4);
  REQUIRE(copy(to.data, device, to.bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  tilelab::emulator::end_call();
  std::vector<int> doubled(4);
  REQUIRE(copy(doubled.data(), to.data, to.bytes, cudaMemcpyHostToHost) == cudaSuccess);
  REQUIRE(doubled == std::vector<int>{2, 4, 6, 8});
}

TEST_CASE("a kernel cannot use a caller's array") {
  HostArray array;
  REQUIRE_CONTAINS(fault_of(cudaErrorIllegalAddress, [&] { double_all<<<1, 1>>>(array.data, 1); }),
                   "host memory: give the kernel a pointer from cudaMalloc()");
}

TEST_CASE("a copy that is refused says what does not fit") {
  DeviceArray<int> device(4);
  int host[4] = {};
  REQUIRE_CONTAINS(refusal_of(device, host, 16, cudaMemcpyDeviceToHost),
                   "The destination of a copy is device memory, but its direction is "
                   "cudaMemcpyDeviceToHost");
  REQUIRE_CONTAINS(refusal_of(device, host, 20, cudaMemcpyHostToDevice),
                   "A copy of 20 bytes goes past the end of its destination");
  REQUIRE_CONTAINS(refusal_of(host, device, 20, cudaMemcpyDeviceToHost),
                   "past the end of its source");
  REQUIRE_CONTAINS(refusal_of(device, nullptr, 16, cudaMemcpyHostToDevice),
                   "The source of a copy is a null pointer");
  REQUIRE_CONTAINS(refusal_of(host, device + 4, 4, cudaMemcpyDeviceToHost),
                   "The source of a copy is not allocated now");
  REQUIRE(cudaFree(device + 1) == cudaErrorInvalidValue);
  REQUIRE_CONTAINS(tilelab::emulator::fault_message(),
                   "The pointer is 4 bytes into an allocation of 16 bytes");
  // The sentence belongs to that error, not to the next one.
  REQUIRE(cudaMemcpy(device, host, 4, static_cast<cudaMemcpyKind>(9)) ==
          cudaErrorInvalidMemcpyDirection);
  REQUIRE(std::string(tilelab::emulator::fault_message()).empty());
  REQUIRE(cudaGetLastError() == cudaErrorInvalidMemcpyDirection);
}
