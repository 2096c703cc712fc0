#include "judge/calls/submission.h"

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <system_error>

#include "judge/calls/images.h"
#include "judge/calls/or_fail.h"
#include "judge/catch.h"
#include "judge/json.h"
#include "judge/options.h"

namespace tilelab::judge {
namespace {

std::map<std::string, std::unique_ptr<Worker>>& workers() {
  static std::map<std::string, std::unique_ptr<Worker>> all;
  return all;
}

RunResult run_once(Worker& worker, const Function& function,
                   const std::vector<CallArgument>& arguments, Order order, Random& random,
                   std::vector<std::string>& violations) {
  const Images images(arguments, Images::Contents::inputs_and_outputs, random);
  const MemoryFile results(images.file().bytes().size(), MemoryFile::Writer::worker_too);
  wire::Request request;
  request.command = wire::Command::call;
  request.function = function.index;
  request.order = order;
  request.order_seed = random.bits();
  images.describe_in(request);
  const Limits limits{options().time_limit, memory_limit_for(results.bytes().size())};
  worker.ask(request, &images.file(), &results, limits, describe(function, arguments));

  if (violations.empty()) violations = images.violations(function, results);
  RunResult run;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].role != wire::Role::output) continue;
    const auto poison = images.payload(i, images.file());
    const auto values = images.payload(i, results);
    run.outputs.push_back({{poison.begin(), poison.end()}, {values.begin(), values.end()}});
  }
  return run;
}

}  // namespace

Worker& worker(const std::string& name) {
  std::unique_ptr<Worker>& slot = workers()[name];
  if (slot == nullptr) {
    const auto program = options().workers.find(name);
    if (program == options().workers.end()) give_up("no --worker " + name + "=PROGRAM was given");
    slot = std::make_unique<Worker>(program->second);
  }
  return *slot;
}

std::uint64_t memory_limit_for(std::size_t bytes) {
  // Images and results are mapped, and an emulated device holds them once more.
  return options().memory_limit + 4 * bytes;
}

CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders) {
  CallResult result;
  Random random(arguments.front().bytes);
  for (const Order order : orders) {
    result.runs.push_back(run_once(worker, function, arguments, order, random, result.violations));
  }
  return result;
}

std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders) {
  CallResult result =
      or_fail([&] { return run_in_orders(worker("submission"), function, arguments, orders); });
  for (const std::string& sentence : result.violations) FAIL_CHECK(sentence);
  return result.runs;
}

void stop_workers() {
  std::string printed;
  for (auto& [name, worker] : workers()) {
    worker->stop();
    if (name == "submission") printed = worker->output();
  }
  workers().clear();
  if (options().student_output.empty()) return;
  std::ofstream(options().student_output, std::ios::binary) << printed;
}

void give_up(const std::string& sentence) {
  stop_workers();
  std::cerr << "judge: " << sentence << std::endl;
  if (!options().metrics.empty()) {
    std::ofstream(options().metrics, std::ios::app)
        << "{\"infrastructure_error\": " << json_string(sentence) << "}" << std::endl;
  }
  std::_Exit(3);
}

}  // namespace tilelab::judge
