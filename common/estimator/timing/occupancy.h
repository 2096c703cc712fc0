#pragma once

#include "estimator/execution/launch.h"
#include "estimator/timing/gpu.h"

namespace tilelab::estimator {

/// How many blocks of a launch an SM holds at once.
int resident_blocks(const Launch& launch, const Kernel& kernel, const Gpu& gpu);

/// How many bytes this many blocks' shared memory leaves for the L1 cache.
double cache_bytes(const Launch& launch, const Kernel& kernel, const Gpu& gpu, int resident);

}  // namespace tilelab::estimator
