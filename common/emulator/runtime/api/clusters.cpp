// Which clusters a launch has, and which it may have.

#include "emulator/runtime/api/clusters.h"

#include <algorithm>

#include "cuda_runtime_api.h"
#include "emulated/launch_with_attributes.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/kernel_attributes.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"

namespace tilelab::emulator {
namespace {

using AnyClusterDims = ClusterDims<const void*>;

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const AnyClusterDims __start_tilelab_clusters[];
[[gnu::weak, gnu::visibility("hidden")]] extern const AnyClusterDims __stop_tilelab_clusters[];
}

const AnyClusterDims* dims_of(const void* kernel) {
  const auto* const found =
      std::find_if(__start_tilelab_clusters, __stop_tilelab_clusters,
                   [kernel](const AnyClusterDims& dims) { return dims.kernel == kernel; });
  return kernel == nullptr || found == __stop_tilelab_clusters ? nullptr : found;
}

/// As on an H100, what a kernel may have.
unsigned most_blocks(const void* kernel) {
  return allows_large_clusters(kernel) ? device_limits::cluster_blocks
                                       : device_limits::portable_cluster_blocks;
}

cudaError_t check(const void* kernel, const LaunchConfiguration& configuration) {
  const dim3 &cluster = configuration.cluster, &grid = configuration.grid;
  const std::uint64_t blocks = count_of(cluster);
  if (blocks == 0) {
    return explained(cudaErrorInvalidClusterSize, "A cluster of %u x %u x %u blocks has none",
                     cluster.x, cluster.y, cluster.z);
  }
  if (blocks > most_blocks(kernel)) {
    return explained(cudaErrorInvalidClusterSize,
                     "A cluster of %u x %u x %u blocks is too large: it may have %u "
                     "(cudaFuncSetAttribute() with cudaFuncAttributeNonPortableClusterSizeAllowed "
                     "raises that to %u on some GPUs)",
                     cluster.x, cluster.y, cluster.z, most_blocks(kernel),
                     device_limits::cluster_blocks);
  }
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return explained(cudaErrorInvalidClusterSize,
                     "A grid of %u x %u x %u blocks cannot be divided into clusters of %u x %u x "
                     "%u: each dimension must be a multiple",
                     grid.x, grid.y, grid.z, cluster.x, cluster.y, cluster.z);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t apply_clusters(const void* kernel, LaunchConfiguration& configuration) {
  if (const AnyClusterDims* dims = dims_of(kernel)) {
    const dim3 declared(dims->x, dims->y, dims->z), &asked = configuration.cluster;
    const bool is_same = declared.x == asked.x && declared.y == asked.y && declared.z == asked.z;
    if (configuration.has_cluster && !is_same) {
      return explained(cudaErrorInvalidClusterSize,
                       "The launch asks for clusters of %u x %u x %u blocks, but the kernel's "
                       "__cluster_dims__ says %u x %u x %u",
                       asked.x, asked.y, asked.z, declared.x, declared.y, declared.z);
    }
    configuration.has_cluster = true;
    configuration.cluster = declared;
  }
  return configuration.has_cluster ? check(kernel, configuration) : cudaSuccess;
}

cudaError_t read_attributes(const cudaLaunchConfig_t* from, Site site, LaunchConfiguration& to) {
  if (from == nullptr || (from->numAttrs > 0 && from->attrs == nullptr)) {
    return record_error(cudaErrorInvalidValue);
  }
  to.grid = from->gridDim;
  to.block = from->blockDim;
  to.dynamic_shared_bytes = from->dynamicSmemBytes;
  to.stream = from->stream;
  to.site = site;
  for (unsigned i = 0; i < from->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = from->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) {
      to.is_cooperative = attribute.val.cooperative != 0;
    }
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& dims = attribute.val.clusterDim;
      to.has_cluster = true;
      to.cluster = dim3(dims.x, dims.y, dims.z);
    }
    // The others change no result: they are about speed.
  }
  return cudaSuccess;
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* cluster_size, const void* function,
                                                 const cudaLaunchConfig_t* configuration) {
  return api_call([&] {
    if (!can_answer(cluster_size) || configuration == nullptr) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    const AnyClusterDims* const dims = dims_of(function);
    *cluster_size =
        static_cast<int>(dims != nullptr ? dims->x * dims->y * dims->z : most_blocks(function));
    return cudaSuccess;
  });
}

/// The emulator runs one cluster at a time, whatever its size.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* configuration) {
  return api_call([&] {
    if (!can_answer(clusters)) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    LaunchConfiguration launch;
    cudaError_t error = read_attributes(configuration, {}, launch);
    if (error == cudaSuccess) error = apply_clusters(function, launch);
    if (error != cudaSuccess) return error;
    if (!launch.has_cluster) return cudaErrorInvalidClusterSize;
    const bool fits = launch.block.x * launch.block.y * launch.block.z <= most_threads(function) &&
                      launch.dynamic_shared_bytes <= dynamic_shared_limit(function);
    *clusters = fits ? 1 : 0;
    return cudaSuccess;
  });
}

}  // extern "C"
