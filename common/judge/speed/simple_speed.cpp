#include "judge/speed/simple_speed.h"

#include "judge/worker/errors.h"

namespace tilelab {

std::function<SpeedWork(std::size_t n)> work_per_element(std::size_t bytes, double operations,
                                                         Peak peak) {
  return [=](std::size_t n) {
    const double moved = double(bytes) * double(n);
    return SpeedWork{{peak, moved}, {n, operations * double(n), moved}};
  };
}

namespace judge {

void renew_arguments(SpeedProblem& problem, const std::vector<CallArgument>& arguments) {
  // One by one, because a contender may hold a reference to an argument.
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    CallArgument& before = problem.arguments[i];
    if (arguments[i].bytes != before.bytes) {
      throw InfrastructureError("the lab's own draw changed the size of " + before.name +
                                ", from " + before.shown + " to " + arguments[i].shown +
                                ": inputs that are timed keep their sizes");
    }
    before = arguments[i];
  }
}

}  // namespace judge
}  // namespace tilelab
