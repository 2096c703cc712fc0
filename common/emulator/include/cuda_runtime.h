#pragma once

// Programs ask by CUDA's name of the header whether it was included.
#define __CUDA_RUNTIME_H__
#ifdef __NVCC__
#define __CUDACC_VER__ "obsolete: use __CUDACC_VER_MAJOR__ and __CUDACC_VER_MINOR__"
#endif

/// The emulator's version of CUDA's main header: the runtime API, and in a `.cu` file everything
/// that kernels use.

// C++20 puts a lerp() into the global namespace, where programs have their own, as nvcc's C++17
// lets them. Where <cmath> came first, it is too late.
#ifndef _GLIBCXX_CMATH
#define lerp tilelab_lerp
#include <math.h>

#include <cmath>
#undef lerp
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cassert>
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#ifdef __CUDACC__
#include "device_launch_parameters.h"
#include "emulated/assumptions.h"
#include "emulated/atomics/functions.h"
#include "emulated/barriers.h"
#include "emulated/bit_functions.h"
#include "emulated/clock_functions.h"
#include "emulated/clusters.h"
#include "emulated/directed_rounding.h"
#include "emulated/dpx_functions.h"
#include "emulated/float_functions.h"
#include "emulated/kernel_notes.h"
#include "emulated/launch.h"
#include "emulated/launch_with_attributes.h"
#include "emulated/math_functions.h"
#include "emulated/memory_functions.h"
#include "emulated/qualifiers.h"
#include "emulated/simd_functions.h"
#include "emulated/spinning.h"
#include "emulated/textures/surface_functions.h"
#include "emulated/textures/texture_functions.h"
#include "emulated/warp_functions.h"
#endif
