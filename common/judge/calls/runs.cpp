#include "judge/calls/runs.h"

#include "judge/calls/call.h"
#include "judge/calls/or_fail.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {

CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders) {
  CallResult result;
  Random random(arguments.front().bytes);
  for (const Order order : orders) {
    const Call call(function, arguments, random, Images::Guards::around_arrays);
    wire::Request request;
    request.command = wire::Command::call;
    request.order = order;
    call.ask(worker, request);
    if (result.violations.empty()) result.violations = call.violations();
    result.runs.push_back(call.result());
  }
  return result;
}

std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders) {
  CallResult result =
      or_fail([&] { return run_in_orders(worker("submission"), function, arguments, orders); });
  for (const Message& violation : result.violations) fail(violation);
  return result.runs;
}

}  // namespace tilelab::judge
