#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "judge/calls/or_fail.h"
#include "judge/calls/runs.h"
#include "judge/checks/profile.h"
#include "judge/options.h"
#include "judge/traffic/figures.h"
#include "judge/traffic/own_observations.h"
#include "judge/traffic/traffic.h"
#include "judge/versions.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {
namespace {

// This many blocks tell what the others do, though the first of them may do less.
constexpr std::uint64_t some_blocks = 32;

Observation observe_submission(const Function& function, const std::vector<CallArgument>& arguments,
                               std::uint64_t block_limit) {
  return observe("submission", function, arguments, Detail::counts, Order::ascending, block_limit);
}

/// The figures of an observed call of the reference solution.
Traffic::Reference figures_of(Observation reference) {
  return [reference = std::move(reference)](const TrafficMetric& metric) {
    return figure_of(reference, metric);
  };
}

/// The same, and each of them is reported.
Traffic::Reference reported(const std::string& call, const Observation& reference) {
  return [call, of = figures_of(reference)](const TrafficMetric& metric) {
    const std::optional<double> value = of(metric);
    report_figure(call, metric.id, *value);
    return value;
  };
}

/// What the reference solution does in this call, as its worker or the file of figures says.
Traffic::Reference reference_in(const Function& function,
                                const std::vector<CallArgument>& arguments,
                                std::uint64_t block_limit = 0) {
  if (options().workers.contains("reference")) {
    return figures_of(observe_own("reference", function, arguments, block_limit));
  }
  return [call = sizes_of(function, arguments)](const TrafficMetric& metric) {
    return known_figure(call, metric.id);
  };
}

Traffic compared(Observation submission, const Function& function,
                 const std::vector<CallArgument>& arguments) {
  return {std::move(submission), observe_own("baseline", function, arguments),
          reference_in(function, arguments)};
}

/// A call of which some blocks were looked at.
struct LargeCall {
  KeptCall call;
  Observation some;                             ///< What they did.
  std::optional<std::optional<Traffic>> whole;  ///< What all blocks did, if that was asked.
  Traffic::Reference reference;  ///< What some of the reference solution's did, if that was asked.

  /// Whether a call has the same arguments.
  bool is_like(const Function& function, const std::vector<CallArgument>& arguments) const {
    if (function.index != call.function.index) return false;
    return std::equal(arguments.begin(), arguments.end(), call.arguments.begin(),
                      call.arguments.end(), [](const CallArgument& a, const CallArgument& b) {
                        const bool has_input = a.input != nullptr && b.input != nullptr;
                        return a.bytes == b.bytes && std::ranges::equal(a.scalar, b.scalar) &&
                               (!has_input || std::equal(a.input, a.input + a.bytes, b.input));
                      });
  }

  std::optional<double> reference_figure(const TrafficMetric& metric) {
    if (!reference) reference = reference_in(call.function, call.arguments, some_blocks);
    return reference(metric);
  }

  std::optional<Traffic> observe_whole() {
    if (!whole) {
      whole.emplace();
      try {
        Observation all = observe_submission(call.function, call.arguments, 0);
        if (!all.failure) {
          whole = compared(std::move(all), call.function, call.arguments).as_large();
        }
      } catch (const SubmissionError&) {  // it takes too long
      }
    }
    return *whole;
  }
};

/// Tests of the same call share what was seen of it. Null if the call takes too long.
std::shared_ptr<LargeCall> large_call(const Function& function,
                                      const std::vector<CallArgument>& arguments) {
  static std::shared_ptr<LargeCall> last;
  if (last && last->is_like(function, arguments)) return last;
  before_call();
  keep_call(function, arguments);
  last.reset();
  Observation some = or_fail([&] {
    try {
      return observe_submission(function, arguments, some_blocks);
    } catch (const LongFailure&) {
      return Observation{};
    }
  });
  if (some.call.empty()) return nullptr;
  if (some.failure) fail_and_stop(*some.failure);
  last = std::make_shared<LargeCall>(LargeCall{kept(function, arguments), std::move(some), {}, {}});
  return last;
}

std::optional<Traffic> observe_some(const Function& function,
                                    const std::vector<CallArgument>& arguments,
                                    RunResult& submission_result) {
  // A smaller call shows better what is wrong, and a profile has one call of each kind.
  if (test_has_failed() || options().profile) return std::nullopt;
  const std::shared_ptr<LargeCall> large = large_call(function, arguments);
  if (!large) return std::nullopt;
  submission_result = large->some.result;
  if (options().sizes_per_draw > 0) {
    return Traffic(large->some, large->some, reported(sizes_of(function, arguments), large->some));
  }
  return Traffic(
      large->some, [large](const TrafficMetric& metric) { return large->reference_figure(metric); },
      [large] { return large->observe_whole(); });
}

}  // namespace

std::optional<Traffic> observe_traffic(Look look, const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       RunResult& submission_result) {
  if (look == Look::some_blocks) return observe_some(function, arguments, submission_result);
  before_call();
  keep_call(function, arguments);
  Observation submission = or_fail([&] { return observe_submission(function, arguments, 0); });
  if (submission.failure) fail_and_stop(*submission.failure);
  submission_result = submission.result;
  write_profile(describe(function, arguments), submission);
  // A profile of one file alone has nothing to be compared with.
  if (options().profile && !options().workers.contains("baseline")) {
    return Traffic(submission, submission, figures_of(submission));
  }
  if (options().sizes_per_draw > 0) {
    return Traffic(submission, submission, reported(sizes_of(function, arguments), submission));
  }
  return or_give_up([&] { return compared(std::move(submission), function, arguments); });
}

}  // namespace tilelab::judge
