#pragma once

#include "estimator/estimate/estimate.h"
#include "report/json/json.h"

namespace tilelab::estimator {

/// An estimate, as the pipeline reads it.
report::JsonObject json_of(const Estimate& estimate);

}  // namespace tilelab::estimator
