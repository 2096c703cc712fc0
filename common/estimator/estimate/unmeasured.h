#pragma once

#include "estimator/code/instruction.h"
#include "estimator/estimate/sample.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/misses.h"
#include "estimator/timing/sm.h"

namespace tilelab::estimator {

/// How far off the cycles may be because of what no microbenchmark measures, as a share of them.
/// Throws Unknown if the launch does little else.
double unmeasured(const Function& function, const Sample& sample, const Timing& timing,
                  const Setup& setup, const Misses& misses, const Gpu& gpu);

}  // namespace tilelab::estimator
