#include "judge/checks/profile.h"

#include <vector>

#include "judge/checks/source_text.h"
#include "judge/events.h"
#include "judge/options.h"
#include "report/json/launch_json.h"

namespace tilelab::judge {

JsonObject launch_json(const report::LaunchReport& launch) {
  return report::launch_json(launch, source_line);
}

void write_profile(const std::string& call, const Observation& observation) {
  if (!options().profile) return;
  write_event(event("call")
                  .add("call", call)
                  .add("input_bytes", observation.input_bytes)
                  .add("output_bytes", observation.output_bytes)
                  .add("launches", objects_of(observation.report.launches, launch_json)));
}

}  // namespace tilelab::judge
