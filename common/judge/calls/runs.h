#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "contract/failed_call.h"
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

/// Chooses the worker that makes the call in an order.
using WorkerFor = std::function<Worker&(Order)>;

/// Runs a function once per order of threads, each time at fresh addresses. Throws SubmissionError
/// or InfrastructureError.
CallResult run_in_orders(const WorkerFor& worker_for, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders);

/// The same with one worker for all orders.
CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders);

/// Runs a function of the submission in several orders. Each order has a process of its own, so
/// that no process sees an input twice: otherwise a kernel could keep the result of one order, in
/// which it is right, and give it back in the others. A failure of the submission fails the current
/// Catch2 test, and a failure of the machine ends the judge.
std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders);

/// Whether the results of these runs are right.
using IsRight = std::function<bool(const std::vector<RunResult>&)>;

/// Runs a function of the submission in a random order, and in the others only if something is
/// wrong with the first run: then they show whether that depends on the order. Otherwise like
/// call_submission().
std::vector<RunResult> call_in_any_order(const Function& function,
                                         const std::vector<CallArgument>& arguments,
                                         const IsRight& is_right);

/// A call that can be made once more: it has its inputs for itself.
struct KeptCall {
  Function function;
  std::vector<CallArgument> arguments;
  std::vector<std::vector<std::byte>> inputs;  ///< What the arguments point to.
};

/// Keeps a call.
KeptCall kept(const Function& function, const std::vector<CallArgument>& arguments);

/// Has to come before each call whose results a test compares. Keeps it, unless it is a large one.
void keep_call(const Function& function, const std::vector<CallArgument>& arguments);

/// The last such call. Null if it was not kept.
const KeptCall* last_call();

/// The error that a call came to.
struct ReturnedError {
  int code = 0;            ///< The error's number; 0 is cudaSuccess.
  std::string text;        ///< Its name and what it means; "" if there was none.
  FailedCall failed_call;  ///< What became of the CUDA call that had to fail.
};

/// Calls a function of the submission once and lets it return an error. Anything else that goes
/// wrong fails the current Catch2 test.
/// @param failing  a CUDA call of the function that fails
ReturnedError call_for_error(const Function& function, const std::vector<CallArgument>& arguments,
                             const CallToFail& failing = {});

}  // namespace tilelab::judge
