#pragma once

#include "estimator/estimate/sample.h"
#include "estimator/timing/sm.h"

namespace tilelab::estimator {

/// What an SM does in all, from what was simulated.
struct Extrapolated {
  double cycles = 0;
  double factor = 1;  ///< How much more traffic it has.
  double spread = 0;  ///< How far off the cycles may be, as a share of them.
};

/// @param blocks  of the launch
Extrapolated extrapolated(const Timing& timing, const Sample& sample, double blocks);

}  // namespace tilelab::estimator
