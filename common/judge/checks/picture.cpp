#include "judge/checks/picture.h"

#include "judge/calls/or_fail.h"
#include "judge/checks/picture_records.h"
#include "judge/events.h"
#include "judge/options.h"
#include "judge/write_event.h"

namespace tilelab {

int picture_size(int usual, int least, int most) {
  const std::uint64_t asked = judge::options().picture_size;
  if (asked == 0) return usual;
  if (asked < static_cast<unsigned>(least) || asked > static_cast<unsigned>(most)) {
    judge::fail_and_stop("--n must be from " + std::to_string(least) + " to " +
                         std::to_string(most) + " for a picture of this lab.");
  }
  return static_cast<int>(asked);
}

namespace judge {

Observation observe_for_picture(const std::string& worker, const Function& function,
                                const std::vector<CallArgument>& arguments) {
  // Ascending, so that what comes first in the picture also ran first.
  return or_fail(
      [&] { return observe(worker, function, arguments, Detail::trace, Order::ascending); });
}

void write_picture(const std::string& worker, const std::string& call,
                   const Observation& observation, const std::vector<schema::PicturedInput>& inputs,
                   const std::vector<schema::PicturedOutput>& outputs, const Axes& axes) {
  schema::Picture made{
      .worker = worker,
      .call = call,
      .failure = observation.failure ? observation.failure->sentence : "",
      .inputs = inputs,
      .outputs = outputs,
      .axes = axes,
      .findings = pictures_of(observation.report.findings),
      .launches = {},
  };
  for (const auto& launch : observation.report.launches) {
    made.launches.push_back(picture_of(launch));
  }
  write_event(made);
}

}  // namespace judge
}  // namespace tilelab
