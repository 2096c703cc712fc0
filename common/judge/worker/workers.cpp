#include "judge/worker/workers.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "judge/events.h"
#include "judge/options.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {
namespace {

using WorkerKey = std::pair<std::string, unsigned>;

std::map<WorkerKey, std::unique_ptr<Worker>>& workers() {
  static std::map<WorkerKey, std::unique_ptr<Worker>> all;
  return all;
}

std::map<std::string, std::shared_ptr<Patience>>& patiences() {
  static std::map<std::string, std::shared_ptr<Patience>> all;
  return all;
}

/// That of all twins of a worker.
std::shared_ptr<Patience> patience_with(const std::string& name) {
  std::shared_ptr<Patience>& slot = patiences()[name];
  if (slot == nullptr) slot = std::make_shared<Patience>();
  return slot;
}

}  // namespace

Worker& worker(const std::string& name, unsigned twin) {
  std::unique_ptr<Worker>& slot = workers()[{name, twin}];
  if (slot == nullptr) {
    const auto program = options().workers.find(name);
    if (program == options().workers.end()) {
      throw InfrastructureError("no --worker " + name + "=PROGRAM was given");
    }
    // The twins of a worker print the same again.
    const bool reports_output = name == "submission" && twin == 0;
    slot = std::make_unique<Worker>(program->second, reports_output, patience_with(name));
  }
  return *slot;
}

void limit_submission(double seconds) {
  double& left = patience_with("submission")->seconds_left;
  left = std::min(left, seconds);
}

void stop_workers() {
  for (auto& [key, worker] : workers()) {
    if (worker == nullptr) continue;
    worker->stop();
    worker->report_output("");
  }
  workers().clear();
  patiences().clear();
}

}  // namespace tilelab::judge
