#include "judge/checks/left_behind.h"

#include <string>

#include "judge/events.h"

namespace tilelab::judge {
namespace {

constexpr std::uint32_t fewest_calls = 16;

}  // namespace

void LeftBehind::add(const FailedCall& call) {
  ++calls_;
  streams_ += call.held_streams;
  events_ += call.held_events;
  pinned_ += call.held_pinned;
}

void LeftBehind::assert_few(const Function& function) const {
  if (calls_ < fewest_calls) return;
  const auto assert_few = [&](std::uint32_t count, const char* what, const char* end) {
    if (count < calls_) return;
    fail_and_stop({std::string(function.name) + " left " + std::to_string(count) + " " + what +
                       " behind in " + std::to_string(calls_) + " calls: " + end +
                       " before you return.",
                   "leak"});
  };
  constexpr const char* destroy = "destroy each one that you create,";
  assert_few(streams_, "streams", destroy);
  assert_few(events_, "events", destroy);
  assert_few(pinned_, "page-locked arrays", "free or unregister each one");
}

}  // namespace tilelab::judge
