#pragma once

#include <string>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/submission.h"
#include "report/report.h"

namespace tilelab::judge {

/// What one call did, as the observer of a worker's checked build saw it.
struct Observation {
  report::Report report;                  ///< with file and line in all its places
  std::vector<RunResult::Bytes> outputs;  ///< empty if the call failed
  std::string failure;                    ///< the sentence if it did
  std::size_t input_bytes = 0;            ///< of all arrays that are read
  std::size_t output_bytes = 0;           ///< of all arrays that are written
};

/// Calls a function of the named worker once under observation. Throws SubmissionError if nothing
/// came back, and InfrastructureError.
Observation observe(const std::string& worker, const Function& function,
                    const std::vector<CallArgument>& arguments, Detail detail, Order order);

}  // namespace tilelab::judge
