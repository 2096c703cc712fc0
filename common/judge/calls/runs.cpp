#include "judge/calls/runs.h"

#include "judge/calls/call.h"
#include "judge/calls/or_fail.h"
#include "judge/worker/endings.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {

CallResult run_in_orders(const WorkerFor& worker_for, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders) {
  CallResult result;
  Random random(arguments.front().bytes);
  for (const Order order : orders) {
    const Call call(function, arguments, random);
    wire::Request request;
    request.command = wire::Command::call;
    request.order = order;
    call.ask(worker_for(order), request);
    if (result.violations.empty()) result.violations = call.violations();
    result.runs.push_back(call.result());
  }
  return result;
}

CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders) {
  return run_in_orders([&](Order) -> Worker& { return worker; }, function, arguments, orders);
}

std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders) {
  const auto worker_for = [](Order order) -> Worker& {
    return worker("submission", static_cast<unsigned>(order));
  };
  CallResult result =
      or_fail([&] { return run_in_orders(worker_for, function, arguments, orders); });
  for (const Message& violation : result.violations) fail(violation);
  return result.runs;
}

ReturnedError call_for_error(const Function& function, const std::vector<CallArgument>& arguments) {
  const wire::Reply reply = or_fail([&] {
    Random random(arguments.front().bytes);
    wire::Request request;
    request.command = wire::Command::call;
    request.expects_error = 1;
    return Call(function, arguments, random).ask(worker("submission"), request);
  });
  return {reply.cuda_code, text_of(reply)};
}

}  // namespace tilelab::judge
