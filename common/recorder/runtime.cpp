// A CUDA runtime without a GPU: it launches nothing and writes each launch down.
//
// Programs that nvcc compiled link with it in place of libcudart. It prints lines
//     array ADDRESS BYTES CONTENTS
//     launch KERNEL GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z DYNAMIC_SHARED_BYTES PARAMETERS
//     end
// with addresses and parameters in hexadecimal, when the call has ended. A file kernels.txt, which
// is linked in, has lines
//     kernel NAME REGISTERS STATIC_SHARED_BYTES OFFSET:BYTES ...
// that say which parameters a kernel has. The environment has the number of the call, TILELAB_CALL,
// and of the GPU that it answers for TILELAB_MULTIPROCESSORS.

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ios>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "recorder/arguments.h"

// The names that ld gives to the contents of the file.
extern "C" const char _binary_kernels_txt_start[], _binary_kernels_txt_end[];

namespace {

/// A descriptor for which the submission has no function that writes to it.
int channel = -1;

std::string& recording() {
  static std::string made;
  return made;
}

template <class... T>
void write_down(const char* format, T... values) {
  const auto size = static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...));
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format, values...);
  recording().append(text, 0, size);
}

struct Parameter {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

struct Kernel {
  int registers = 0;
  std::size_t shared_bytes = 0;
  std::vector<Parameter> parameters;
};

// As on GPUs of compute capability 9.0.
constexpr int registers_per_quarter = 16384;
constexpr std::size_t shared_bytes = 233472;
constexpr std::size_t reserved_shared_bytes = 1024;
constexpr std::size_t largest_shared_bytes = 232448;
constexpr int largest_blocks = 32;
constexpr int largest_warps = 64;

std::map<std::string, Kernel> read_kernels() {
  std::map<std::string, Kernel> made;
  std::istringstream in(std::string(_binary_kernels_txt_start, _binary_kernels_txt_end));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, name, parameter;
    Kernel kernel;
    words >> what >> name >> kernel.registers >> kernel.shared_bytes;
    while (words >> parameter) {
      const std::size_t colon = parameter.find(':');
      kernel.parameters.push_back(
          {std::stoul(parameter.substr(0, colon)), std::stoul(parameter.substr(colon + 1))});
    }
    made[name] = kernel;
  }
  return made;
}

const Kernel& kernel_named(const std::string& name) {
  static const std::map<std::string, Kernel> kernels = read_kernels();
  static const Kernel none;
  const auto found = kernels.find(name);
  return found == kernels.end() ? none : found->second;
}

/// The names of kernels by the addresses that stand for them in host code.
std::map<const void*, std::string>& names() {
  static std::map<const void*, std::string> made;
  return made;
}

int number_in(const char* variable) {
  const char* const said = std::getenv(variable);
  return said == nullptr ? 1 : std::atoi(said);
}

void* next_address(std::size_t bytes, const char* contents) {
  static std::uint64_t next = 0x7f0000000000;
  const std::uint64_t made = next;
  next += (bytes + 511) / 512 * 512 + 4096;
  write_down("array %llx %zu %s\n", static_cast<unsigned long long>(made), bytes, contents);
  return reinterpret_cast<void*>(made);
}

cudaError_t record(const void* function, dim3 grid, dim3 block, void** arguments,
                   std::size_t dynamic_shared_bytes) {
  const std::string& name = names()[function];
  std::vector<unsigned char> values;
  std::size_t i = 0;
  for (const Parameter& one : kernel_named(name).parameters) {
    values.resize(std::max(values.size(), one.offset + one.bytes));
    std::memcpy(&values[one.offset], arguments[i++], one.bytes);
  }
  write_down("launch %s %u %u %u %u %u %u %zu ", name.c_str(), grid.x, grid.y, grid.z, block.x,
             block.y, block.z, dynamic_shared_bytes);
  for (const unsigned char value : values) write_down("%02x", value);
  write_down("\n");
  return cudaSuccess;
}

/// How many blocks a multiprocessor holds at once.
int resident_blocks(const void* function, int threads, std::size_t dynamic_shared_bytes) {
  const Kernel& kernel = kernel_named(names()[function]);
  const int warps = std::max(1, (threads + 31) / 32);
  const int registers = std::max(256, (kernel.registers * 32 + 255) / 256 * 256);
  const std::size_t shared =
      (kernel.shared_bytes + dynamic_shared_bytes + 127) / 128 * 128 + reserved_shared_bytes;
  return std::min({largest_blocks, largest_warps / warps,
                   registers_per_quarter / registers * 4 / warps,
                   static_cast<int>(shared_bytes / shared)});
}

}  // namespace

namespace tilelab::recorder {

Array fractions(std::size_t bytes) { return Array(next_address(bytes, "fractions")); }
Array bits(std::size_t bytes) { return Array(next_address(bytes, "bits")); }
Array zeros(std::size_t bytes) { return Array(next_address(bytes, "zeros")); }

int begin() {
  static const std::ios_base::Init streams;  // a submission's <iostream> leaves that to others
  channel = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    close(descriptor);
    open("/dev/null", O_RDONLY);  // takes its place
  }
  return number_in("TILELAB_CALL");
}

void finish() {
  write_down("end\n");
  const std::string& text = recording();
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(channel, text.data() + done, text.size() - done);
    if (written <= 0) _exit(1);
    done += static_cast<std::size_t>(written);
  }
  _exit(0);
}

}  // namespace tilelab::recorder

extern "C" {

// What the host code that nvcc writes calls.

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  names()[host] = name;
}

static struct {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
} configuration;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     cudaStream_t stream) {
  configuration = {grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                       void* stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t) {
  return record(kernel, grid, block, arguments, shared_bytes);
}

// What programs call.

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t) {
  return record(function, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes, cudaStream_t) {
  return record(function, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* launch, const void* function,
                                void** arguments) {
  return record(function, launch->gridDim, launch->blockDim, arguments, launch->dynamicSmemBytes);
}

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  *address = next_address(bytes, "zeros");
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t) {
  return cudaMalloc(address, bytes);
}
cudaError_t cudaFree(void*) { return cudaSuccess; }
cudaError_t cudaFreeAsync(void*, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) { return cudaSuccess; }
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind) {
  return cudaSuccess;
}
cudaError_t cudaMemset(void*, int, std::size_t) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void*, int, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetSymbolAddress(void** address, const void*) {
  *address = reinterpret_cast<void*>(0x7e0000000000);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "no error"; }
const char* cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = number_in("TILELAB_MULTIPROCESSORS");
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 32 * largest_warps;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 * 1024;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = largest_shared_bytes;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = shared_bytes;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Kernel& kernel = kernel_named(names()[function]);
  *attributes = {};
  attributes->numRegs = kernel.registers;
  attributes->sharedSizeBytes = kernel.shared_bytes;
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t shared_bytes, unsigned) {
  *blocks = resident_blocks(function, threads, shared_bytes);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared_bytes) {
  *blocks = resident_blocks(function, threads, shared_bytes);
  return cudaSuccess;
}

}  // extern "C"
