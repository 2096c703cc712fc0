#pragma once

/// Launches whose configuration is a struct, which can ask for clusters.

#include "emulated/launch.h"
#include "emulated/launch_attributes.h"

namespace tilelab::emulator {

/// The extent of a kernel's clusters, as __cluster_dims__ has it. The rewriter makes one for every
/// kernel with that word, in a section of their own. Its size is its alignment, so that compilers
/// leave no gaps between them.
template <class Kernel>
struct alignas(32) ClusterDims {
  Kernel kernel;
  unsigned x, y = 1, z = 1;
};

/// @return the error of an attribute that the emulator does not have
cudaError_t read_attributes(const cudaLaunchConfig_t* from, Site site, LaunchConfiguration& to);

}  // namespace tilelab::emulator

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration,
                               const tilelab::emulator::NamedKernel<Parameters...>& kernel,
                               Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "cudaLaunchKernelEx() needs all arguments of the kernel");
  tilelab::emulator::LaunchConfiguration launch;
  const cudaError_t error = tilelab::emulator::read_attributes(configuration, kernel.site, launch);
  if (error != cudaSuccess) return error;
  const auto call = [&](Parameters... converted) {
    void* pointers[] = {static_cast<void*>(&converted)..., nullptr};
    return tilelab::emulator::launch_with_pointers(kernel.name, kernel.kernel, pointers, launch);
  };
  return call(std::forward<Arguments>(arguments)...);
}

template <class... Parameters>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration,
                                const tilelab::emulator::NamedKernel<Parameters...>& kernel,
                                void** arguments) {
  tilelab::emulator::LaunchConfiguration launch;
  const cudaError_t error = tilelab::emulator::read_attributes(configuration, kernel.site, launch);
  if (error != cudaSuccess) return error;
  return tilelab::emulator::launch_with_pointers(kernel.name, kernel.kernel, arguments, launch);
}
