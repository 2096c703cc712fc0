#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/failed_call.h"
#include "judge/calls/arguments.h"
#include "judge/calls/results.h"
#include "judge/events.h"
#include "report/report.h"

namespace tilelab::judge {

/// What one call of a checked build did.
struct Observation {
  std::string call;                ///< The call as messages describe it: "diff(int[33], ...)".
  report::Report report;           ///< Every place in it has its file and line.
  RunResult result;                ///< It has no outputs if the call failed.
  std::optional<Message> failure;  ///< If the call failed, this says why.
  FailedCall cuda_calls;           ///< What the function's calls of CUDA left behind.
  Problem problem;                 ///< What the call was to solve.
  std::size_t needed_loads = 0;    ///< The arrays that are only read have this many bytes in all.
  /// The arrays that are only written have this many bytes in all, and what changed in the others.
  std::size_t needed_stores = 0;
};

/// Has the named worker, a checked build, call a function once, and look at this many blocks of a
/// launch, or at all if the limit is 0. Call says what the shift is. Throws SubmissionError if
/// nothing came back, and InfrastructureError.
Observation observe(const std::string& worker, const Function& function,
                    const std::vector<CallArgument>& arguments, Detail detail, Order order,
                    std::uint64_t block_limit = 0, unsigned shift = 0);

}  // namespace tilelab::judge
