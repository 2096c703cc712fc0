#include "emulator/runtime/streams/node_content.h"

#include <unordered_map>

#include "cuda_runtime_api.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

namespace tilelab::emulator {
namespace {

std::unordered_map<const void*, MakeLaunch>& kernels() {
  static auto* map = new std::unordered_map<const void*, MakeLaunch>;
  return *map;
}

/// The launch that the parameters describe, or none if the kernel is not known.
Work launch_of(const cudaKernelNodeParams& parameters, Site site) {
  const auto found = kernels().find(parameters.func);
  if (found == kernels().end()) return nullptr;
  LaunchConfiguration configuration;
  configuration.grid = parameters.gridDim;
  configuration.block = parameters.blockDim;
  configuration.dynamic_shared_bytes = parameters.sharedMemBytes;
  configuration.site = site;
  return found->second(parameters.kernelParams, configuration);
}

cudaError_t unknown_kernel() {
  return explained(cudaErrorInvalidDeviceFunction,
                   "A graph's kernel must be a function of the file that makes its node, and no "
                   "template");
}

cudaError_t run_fill(const cudaMemsetParams& what) {
  const NameOfWork name("cudaMemset");
  const std::size_t row = what.width * what.elementSize;
  std::vector<unsigned char> values(row);
  for (std::size_t i = 0; i < row; ++i) {
    values[i] = static_cast<unsigned char>(what.value >> (8 * (i % what.elementSize)));
  }
  for (std::size_t y = 0; y < what.height; ++y) {
    if (const cudaError_t error = cudaMemcpy(static_cast<char*>(what.dst) + y * what.pitch,
                                             values.data(), row, cudaMemcpyHostToDevice)) {
      return error;
    }
  }
  return cudaSuccess;
}

}  // namespace

void register_kernel(const void* kernel, MakeLaunch make) { kernels()[kernel] = std::move(make); }

NodeContent content_of(const cudaKernelNodeParams* launch, Site site) {
  if (launch == nullptr) return {};
  Work work = launch_of(*launch, site);
  if (!work) return {unknown_kernel()};
  return {cudaSuccess, std::move(work)};
}

NodeContent content_of(const cudaMemcpy3DParms* copy) {
  if (copy == nullptr) return {};
  return {cudaSuccess, [what = *copy] { return cudaMemcpy3D(&what); }, *copy};
}

NodeContent content_of_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms what{};
  what.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  what.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  what.extent = make_cudaExtent(bytes, 1, 1);
  what.kind = kind;
  return {cudaSuccess, [=] { return cudaMemcpy(to, from, bytes, kind); }, what};
}

NodeContent content_of(const cudaMemsetParams* fill) {
  const bool is_valid = fill != nullptr && (fill->elementSize == 1 || fill->elementSize == 2 ||
                                            fill->elementSize == 4);
  if (!is_valid) return {};
  return {cudaSuccess, [what = *fill] { return run_fill(what); }, *fill};
}

NodeContent content_of(const cudaHostNodeParams* call) {
  if (call == nullptr || call->fn == nullptr) return {};
  const Work work = [what = *call] {
    call_host_function(nullptr, [what] { what.fn(what.userData); });
    return cudaSuccess;
  };
  return {cudaSuccess, work, *call};
}

}  // namespace tilelab::emulator
