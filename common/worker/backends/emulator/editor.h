#pragma once

/// What an editor reads before a `.cu` file: CUDA's declarations, without a CUDA Toolkit.
///
/// clang itself knows kernels, launches and which side calls which. It gets the functions from the
/// emulator's headers; nothing is compiled with this file.

#define __CUDACC__

#include <new>  // whose operators clang has already declared
// Else CUDA's headers would include parts of it below, as functions for both sides.
#include <iostream>

// clang has this function; the emulator's gets another name.
#define __nvvm_rsqrt_approx_ftz_f tilelab_rsqrt
// Kernels may call all that these headers declare.
#pragma clang force_cuda_host_device begin
#include <cuda/barrier>
#include <cuda/pipeline>

#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
#include "cuda_awbarrier_primitives.h"
#include "cuda_pipeline.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end
#undef __nvvm_rsqrt_approx_ftz_f

// The emulator leaves these words to its rewriter. clang has attributes for all but the last.
#undef __launch_bounds__
#undef __cluster_dims__
#undef __global__
#undef __device__
#undef __host__
#undef __constant__
#undef __shared__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)

// What a launch becomes, in older and in newer versions of CUDA.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0,
                              cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                std::size_t dynamic_shared_bytes = 0,
                                                cudaStream_t stream = nullptr);

// The rewriter passes the kernel itself.
template <class Kernel>
cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr);
template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared_bytes = 0,
                                        cudaStream_t stream = nullptr);
