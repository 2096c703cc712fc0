#pragma once

#include "estimator/estimate/sample.h"
#include "estimator/timing/gpu.h"

namespace tilelab::estimator {

/// Throws Unknown if blocks access memory where data say, and made-up data do not stand for real
/// ones, or nobody measured how fast that is.
void check_addresses(const Sample& sample, const Work& work, const Gpu& gpu);

}  // namespace tilelab::estimator
