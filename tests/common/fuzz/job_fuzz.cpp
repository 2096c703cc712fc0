// A submission's own process writes its launches down, so they may ask for anything. They are
// executed with machine code that does it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "estimator/code/disassembly.h"
#include "estimator/estimate/estimate.h"
#include "estimator/execution/unknown.h"
#include "estimator/stream/job.h"

namespace {

using namespace tilelab::estimator;

// Each takes up to a second.
constexpr std::size_t most_launches = 2;

/// Kernels that end soon, whatever their parameters are.
std::vector<Function> functions() {
  std::vector<Function> made;
  for (const char* const name : {"diff", "reduction"}) {
    std::ifstream file(SOURCE_DIR "/tests/common/estimator/kernels/" + std::string(name) + ".sass");
    const std::vector<Function> found = read_disassembly(file);
    if (found.empty()) std::abort();
    made.insert(made.end(), found.begin(), found.end());
  }
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Function> known = functions();
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    Job job = read_job(in);
    job.launches.resize(std::min(job.launches.size(), most_launches));
    Estimator estimator(Gpu{}, job.arrays);
    for (const Launch& launch : job.launches) {
      for (const Function& function : known) {
        const auto kernel = job.kernels.find(launch.kernel);
        if (function.name == launch.kernel && kernel != job.kernels.end()) {
          estimator.next(function, launch, kernel->second);
        }
      }
    }
  } catch (const std::runtime_error&) {
    // A line that says nothing is refused, and so is what the estimate does not know.
  }
  return 0;
}
