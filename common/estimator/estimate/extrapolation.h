#pragma once

#include "estimator/estimate/sample.h"
#include "estimator/timing/sm.h"

namespace tilelab::estimator {

/// What an SM does in all, from what was simulated.
struct Extrapolated {
  double cycles = 0;
  double factor = 1;  ///< How much more traffic it has.
};

Extrapolated extrapolated(const Timing& timing, const Sample& sample);

}  // namespace tilelab::estimator
