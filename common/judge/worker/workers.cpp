#include "judge/worker/workers.h"

#include <map>
#include <memory>
#include <utility>

#include "judge/events.h"
#include "judge/options.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {
namespace {

using Key = std::pair<std::string, unsigned>;

std::map<Key, std::unique_ptr<Worker>>& workers() {
  static std::map<Key, std::unique_ptr<Worker>> all;
  return all;
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
    slot = std::make_unique<Worker>(program->second, name == "submission" && twin == 0);
  }
  return *slot;
}

void stop_workers() {
  for (auto& [key, worker] : workers()) {
    if (worker == nullptr) continue;
    worker->stop();
    worker->report_output("");
  }
  workers().clear();
}

}  // namespace tilelab::judge
