#include "judge/calls/runs.h"

#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "judge/calls/call.h"
#include "judge/calls/or_fail.h"
#include "judge/versions.h"
#include "judge/worker/errors.h"
#include "judge/worker/reply_text.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {
namespace {

// To make such a call once more takes little time.
constexpr std::size_t most_kept_bytes = std::size_t{256} << 10;

std::optional<KeptCall>& kept_call() {
  static std::optional<KeptCall> call;
  return call;
}

/// Whether this call is to come second in its process, after one in the same arrays that hold
/// other numbers: a submission must not give back what it has kept of that. One call per function
/// is enough, with arrays that can differ and take no time.
bool comes_second(const Function& function, const std::vector<CallArgument>& arguments) {
  static std::map<std::uint32_t, std::size_t> chosen;  // the bytes of a function's call
  constexpr std::size_t least_bytes = 128, most_bytes = std::size_t{16} << 10;
  const std::size_t bytes = bytes_of_arrays(arguments);
  if (!options().may_turn_inputs || bytes < least_bytes || bytes > most_bytes) return false;
  return chosen.try_emplace(function.index, bytes).first->second == bytes;
}

/// One run of a function, in one order of its threads.
CallResult run_once(const WorkerFor& worker_for, const Function& function,
                    const std::vector<CallArgument>& arguments, Order order, Random& random) {
  const Call call(function, arguments, random);
  wire::Request request;
  request.command = wire::Command::call;
  request.order = order;
  request.is_second = comes_second(function, arguments);
  call.ask(worker_for(order), request);
  return {{call.result()}, call.violations()};
}

void add(CallResult& result, CallResult run) {
  if (result.violations.empty()) result.violations = std::move(run.violations);
  result.runs.push_back(std::move(run.runs.front()));
}

/// The submission's process for an order.
Worker& worker_of(Order order) { return worker("submission", static_cast<unsigned>(order)); }

std::vector<RunResult> without_violations(CallResult result) {
  for (const Message& violation : result.violations) fail(violation);
  return std::move(result.runs);
}

CallResult run_in_any_order(const Function& function, const std::vector<CallArgument>& arguments,
                            const IsRight& is_right) {
  Random random(arguments.front().bytes);
  const auto run = [&](Order order) {
    return run_once(worker_of, function, arguments, order, random);
  };
  CallResult shuffled;
  std::exception_ptr error;
  try {
    shuffled = run(Order::random);
    if (shuffled.violations.empty() && is_right(shuffled.runs)) return shuffled;
  } catch (const SubmissionError&) {
    error = std::current_exception();
  }
  // What went wrong is said as if the threads had run in all orders from the beginning.
  CallResult result = run(Order::ascending);
  add(result, run(Order::descending));
  if (error) std::rethrow_exception(error);
  add(result, std::move(shuffled));
  return result;
}

}  // namespace

CallResult run_in_orders(const WorkerFor& worker_for, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders) {
  CallResult result;
  Random random(arguments.front().bytes);
  for (const Order order : orders) {
    add(result, run_once(worker_for, function, arguments, order, random));
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
  before_call();
  keep_call(function, arguments);
  return without_violations(or_fail(
      [&] { return run_in_orders(worker_of, function, arguments, orders_in_use(orders)); }));
}

std::vector<RunResult> call_in_any_order(const Function& function,
                                         const std::vector<CallArgument>& arguments,
                                         const IsRight& is_right) {
  before_call();
  keep_call(function, arguments);
  return without_violations(
      or_fail([&] { return run_in_any_order(function, arguments, is_right); }));
}

KeptCall kept(const Function& function, const std::vector<CallArgument>& arguments) {
  KeptCall call{function, arguments, {}};
  for (CallArgument& one : call.arguments) {
    if (one.input == nullptr) continue;
    one.input = call.inputs.emplace_back(one.input, one.input + one.bytes).data();
  }
  return call;
}

void keep_call(const Function& function, const std::vector<CallArgument>& arguments) {
  kept_call().reset();
  if (bytes_of_arrays(arguments) > most_kept_bytes) return;
  kept_call() = kept(function, arguments);
}

const KeptCall* last_call() { return kept_call() ? &*kept_call() : nullptr; }

ReturnedError call_for_error(const Function& function, const std::vector<CallArgument>& arguments,
                             const CallToFail& failing) {
  before_call();
  const wire::Reply reply = or_fail([&] {
    Random random(arguments.front().bytes);
    wire::Request request;
    request.command = wire::Command::call;
    request.expects_error = 1;
    request.failing = failing;
    return Call(function, arguments, random).ask(worker("submission"), request);
  });
  return {reply.cuda_code, text_of(reply), reply.failed_call};
}

}  // namespace tilelab::judge
