#pragma once

#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/results.h"
#include "judge/events.h"
#include "judge/worker/worker.h"

namespace tilelab::judge {

/// Orders of blocks and threads.
using Orders = std::vector<Order>;

/// The orders that show most data races: each thread reads or writes too early in some of them.
inline const Orders all_orders = {Order::ascending, Order::descending, Order::random};

/// What a call came to.
struct CallResult {
  std::vector<RunResult> runs;      ///< There is one run per order of threads.
  std::vector<Message> violations;  ///< These tell what was changed and should not be.
};

/// Runs a function of a worker once per order of threads, each time at fresh addresses. Throws
/// SubmissionError or InfrastructureError.
CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders);

/// Runs a function of the submission in several orders. A failure of the submission fails the
/// current Catch2 test, and a failure of the machine ends the judge.
std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders);

}  // namespace tilelab::judge
