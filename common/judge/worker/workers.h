#pragma once

#include <string>

#include "judge/worker/worker.h"

namespace tilelab::judge {

/// The worker of this name, which the judge was given: "submission", "baseline", "reference", ...
/// Throws InfrastructureError if it was not.
/// @param twin  tells processes of the same program apart
Worker& worker(const std::string& name, unsigned twin = 0);

/// No call of the submission may take longer than that any more, until its workers are stopped.
void limit_submission(double seconds);

/// Ends all workers and reports what the submission printed.
void stop_workers();

}  // namespace tilelab::judge
