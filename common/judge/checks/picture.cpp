#include "judge/checks/picture.h"

#include "judge/calls/or_fail.h"
#include "judge/checks/profile.h"
#include "judge/checks/trace_json.h"
#include "judge/events.h"
#include "judge/options.h"

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
namespace {

JsonObject json(const Axis& axis) {
  return JsonObject().add("name", axis.name).add("count", axis.count).add("stride", axis.stride);
}

JsonObject json(const PicturedArray& array) {
  JsonObject object = JsonObject()
                          .add("name", array.name)
                          .add("type", array.type)
                          .add("number", array.number)
                          .add("components", array.components)
                          .add("element_bytes", array.element_bytes)
                          .add("values", array.values);
  if (array.expected.empty()) return object;
  return object.add("before", array.before)
      .add("returned", array.is_returned ? 1 : 0)
      .add("expected", array.expected)
      .add("wrong", array.wrong)
      .add("unwritten", array.unwritten);
}

JsonObject json(const report::LaunchReport& launch) {
  return launch_json(launch)
      .add("findings", findings_json(launch.findings))
      .add("trace", trace_json(launch.trace));
}

}  // namespace

Observation observe_for_picture(const std::string& worker, const Function& function,
                                const std::vector<CallArgument>& arguments) {
  // Ascending, so that what comes first in the picture also ran first.
  return or_fail(
      [&] { return observe(worker, function, arguments, Detail::trace, Order::ascending); });
}

void write_picture(const std::string& worker, const std::string& call,
                   const Observation& observation, const std::vector<PicturedArray>& inputs,
                   const std::vector<PicturedArray>& outputs, const Axes& axes) {
  write_event(event("picture")
                  .add("worker", worker)
                  .add("call", call)
                  .add("failure", observation.failure ? observation.failure->sentence : "")
                  .add("inputs", objects_of(inputs, json))
                  .add("outputs", objects_of(outputs, json))
                  .add("axes", objects_of(axes, json))
                  .add("findings", findings_json(observation.report.findings))
                  .add("launches", objects_of(observation.report.launches, json)));
}

}  // namespace judge
}  // namespace tilelab
