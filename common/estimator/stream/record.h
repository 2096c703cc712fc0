#pragma once

#include "estimator/estimate/estimate.h"
#include "schema/estimate.h"

namespace tilelab::estimator {

/// An estimate, as the package reads it.
schema::Estimate record_of(const Estimate& estimate);

}  // namespace tilelab::estimator
