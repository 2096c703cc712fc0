#include "judge/checks/profile.h"

#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/write_event.h"
#include "report/launch_record.h"

namespace tilelab::judge {

schema::Launch record_of(const report::LaunchReport& launch) {
  return report::record_of(launch, source_line);
}

void write_profile(const std::string& call, const Observation& observation) {
  if (!options().profile) return;
  schema::Call made{
      .call = call,
      .input_bytes = observation.problem.input_bytes,
      .output_bytes = observation.problem.output_bytes,
      .launches = {},
      .arguments = {},
  };
  for (const auto& launch : observation.report.launches) {
    made.launches.push_back(record_of(launch));
    made.arguments.push_back(launch.arguments);
  }
  write_event(made);
}

}  // namespace tilelab::judge
