#include "judge/checks/failing_calls.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "judge/calls/or_fail.h"
#include "judge/calls/random.h"
#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/stopped_at.h"
#include "judge/worker/reply_text.h"
#include "judge/worker/workers.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

// What each of this many calls leaves behind is not kept for later ones.
constexpr std::uint32_t fewest_calls = 16;

// Each failure takes a process of its own. A function with more calls than these has a loop of
// them.
constexpr std::uint32_t first_calls = 25, last_calls = 25;

std::string ordinal(std::uint32_t number) {
  constexpr std::string_view endings = "thstndrd";
  const bool is_teen = number % 100 / 10 == 1;
  const std::uint32_t digit = number % 10;
  return std::to_string(number).append(endings.substr(is_teen || digit > 3 ? 0 : 2 * digit, 2));
}

/// Where the submission made the call with these return addresses: its innermost line.
report::SourcePlace place_of(std::span<const std::uint64_t> code) {
  const auto place =
      or_give_up([&] { return innermost_place(options().workers.at("submission"), code); });
  return place.value_or(report::SourcePlace{});
}

std::string at(const report::SourcePlace& place) {
  const std::string text = report::file_and_line(place);
  return text.empty() ? "" : " at " + text;
}

/// A function, and what it did before one of its CUDA calls fails.
struct Calls {
  const Function& function;
  const std::vector<CallArgument>& arguments;
  std::uint32_t earlier = 0;  ///< The process has made this many calls of the function before.
  FailedCall usual = {};      ///< What such a call comes to in which nothing fails.
};

/// The beginning of a sentence about it.
std::string begin_of(const Calls& calls) {
  if (calls.earlier == 0) return "The ";
  return "After " + std::to_string(calls.earlier) + (calls.earlier == 1 ? " call" : " calls") +
         " of " + std::string(calls.function.name) + " without an error, the ";
}

/// What the failure was: "The 2nd CUDA call, cudaMalloc at diff.cu:31, was made to fail with ...".
/// @param at  "" or " at diff.cu:31"
std::string describe(const Calls& calls, std::uint32_t number, const FailedCall& failed,
                     const std::string& at) {
  const std::string name = text_in(failed.name), begin = begin_of(calls);
  const std::string call = ordinal(number) + " CUDA call, ";
  const std::string fails = ", was made to fail with " + text_in(failed.error_name);
  if (failed.is_launch == 0) return begin + call + name + at + fails;
  const std::string launch = "the launch of " + name + at;
  if (failed.is_of_kernel == 0) return begin + call + launch + fails;
  const std::string by = text_in(failed.told_by);
  return begin + "kernel of the " + call + launch + fails + ", which " +
         (by.empty() ? "no call waited for" : by + " returned");
}

/// What is wrong with the function's answer to the failure.
struct Fault {
  std::string says;  ///< It goes on after the function's name; "" if nothing is wrong.
  std::string pattern;
  report::SourcePlace place = {};  ///< Where that is, if it is not where the failure was.
};

Fault fault_of(const ReturnedError& returned, const FailedCall& usual) {
  const FailedCall& failed = returned.failed_call;
  const std::string next = text_in(failed.next);
  if (returned.code == 0) return {"returned cudaSuccess", "error_ignored"};
  if (returned.code != failed.error) {
    return {"returned " + returned.text.substr(0, returned.text.find(':')),
            next.empty() ? "error_replaced" : "error_late"};
  }
  if (!next.empty()) {
    return {"went on with " + next, "error_late", place_of(failed.next_code)};
  }
  // After a kernel that failed, nothing can be freed any more.
  if (failed.is_of_kernel != 0) return {};
  if (failed.held_bytes > usual.held_bytes) {
    return {"returned that without freeing " + std::to_string(failed.held_bytes) +
                " bytes of device memory",
            "leak"};
  }
  if (failed.held_streams > usual.held_streams) {
    return {"returned that without destroying its stream", "leak"};
  }
  if (failed.held_events > usual.held_events) {
    return {"returned that without destroying its event", "leak"};
  }
  if (failed.held_pinned > usual.held_pinned) {
    return {"returned that without freeing its page-locked array", "leak"};
  }
  return {};
}

void check(const Calls& calls, std::uint32_t number, const ReturnedError& returned) {
  const Fault fault = fault_of(returned, calls.usual);
  if (fault.says.empty()) return;
  const FailedCall& failed = returned.failed_call;
  const report::SourcePlace place = place_of(failed.code);
  const std::string says = ", and " + std::string(calls.function.name) + " " + fault.says;
  Message message(describe(calls, number, failed, at(place)) + says + at(fault.place) + ".",
                  fault.pattern);
  message.summary = describe(calls, number, failed, "") + says + ".";
  const unsigned line = submission_line(place);
  if (line > 0) message.places = {{line, "", "fails with " + text_in(failed.error_name)}};
  const unsigned late = submission_line(fault.place);
  if (late > 0) message.places.push_back({late, "", "still runs after it"});
  fail_and_stop(message);
}

/// The numbers of the calls that are made to fail, of this many: all, or the first, the last, and
/// one of those in between.
std::vector<std::uint32_t> failing_numbers(std::uint32_t calls, Random& random) {
  const std::uint32_t ends = first_calls + last_calls;
  const std::uint32_t between = calls > ends ? calls - ends : 0;
  std::vector<std::uint32_t> numbers(calls - between);
  std::iota(numbers.begin(), numbers.end(), 1);
  if (between == 0) return numbers;
  for (std::uint32_t i = first_calls; i < ends; ++i) numbers[i] += between;
  numbers.push_back(first_calls + 1 + static_cast<std::uint32_t>(random.below(between)));
  return numbers;
}

/// Makes one of the function's calls fail, in each way. Returns false if the function does not get
/// as far as that.
bool check_call(const Calls& calls, std::uint32_t number) {
  for (std::uint32_t way = 0, ways = 1; way < ways; ++way) {
    const ReturnedError returned = call_for_error(calls.function, calls.arguments, {number, way});
    if (returned.failed_call.calls < number) return false;
    ways = returned.failed_call.ways;
    // In another process the call may be another one, which cannot fail in this way.
    if (returned.failed_call.error != 0) check(calls, number, returned);
  }
  return true;
}

/// Makes a call of the function in which nothing fails.
void add_call(Calls& calls) {
  calls.usual = call_for_error(calls.function, calls.arguments).failed_call;
  ++calls.earlier;
}

/// Makes one of the function's calls fail, in a way that is drawn. Returns false if it can't fail.
bool check_drawn_way(Calls& calls, std::uint32_t number, Random& random) {
  constexpr std::uint32_t any = 1 << 16;
  auto way = static_cast<std::uint32_t>(random.below(any));
  ReturnedError returned = call_for_error(calls.function, calls.arguments, {number, way});
  for (; returned.failed_call.error == 0; ++calls.earlier) {
    if (returned.failed_call.ways == 0) return false;
    way %= returned.failed_call.ways;
    returned = call_for_error(calls.function, calls.arguments, {number, way});
  }
  check(calls, number, returned);
  return true;
}

}  // namespace

void check_returns_errors(const Function& function, const std::vector<CallArgument>& arguments) {
  // A failure ends the process. In a new one, the function may keep memory for later calls.
  stop_workers();
  const FailedCall without = call_for_error(function, arguments).failed_call;
  if (without.is_counted != 0 && without.calls == 0) {
    fail_and_stop({std::string(function.name) + " made no CUDA call, so it has no error to return.",
                   "never_written"});
  }
  const Calls calls{function, arguments, 0, without};
  Random random(arguments.front().bytes);
  for (const std::uint32_t number : failing_numbers(without.calls, random)) {
    if (!check_call(calls, number)) break;
  }
  SUCCEED();
}

void check_returns_drawn_error(int earlier, const Function& function,
                               const std::vector<CallArgument>& arguments) {
  stop_workers();
  SUCCEED();
  Calls calls{function, arguments};
  for (int i = 0; i < earlier; ++i) {
    add_call(calls);
    if (calls.usual.is_counted == 0) return;
  }
  Random random(arguments.front().bytes + calls.earlier);
  std::vector<std::uint32_t> numbers = failing_numbers(calls.usual.calls, random);
  for (std::size_t left = numbers.size(); left > 0; --left) {
    std::swap(numbers[left - 1], numbers[random.below(left)]);
    if (check_drawn_way(calls, numbers[left - 1], random)) return;
  }
}

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

void check_leaves_nothing(const Function& function, const std::vector<CallArgument>& arguments) {
  stop_workers();
  SUCCEED();
  Calls calls{function, arguments};
  LeftBehind left;
  while (calls.earlier < fewest_calls) {
    add_call(calls);
    left.add(calls.usual);
  }
  left.assert_few(function);
}

}  // namespace tilelab::judge
