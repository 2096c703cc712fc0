#include "judge/checks/safety.h"

#include <algorithm>
#include <optional>
#include <set>

#include "judge/calls/images.h"
#include "judge/calls/or_fail.h"
#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/checks/differences.h"
#include "judge/checks/failing_calls.h"
#include "judge/checks/finding_message.h"
#include "judge/options.h"
#include "judge/repeated_work.h"
#include "judge/source_text.h"
#include "judge/versions.h"
#include "judge/worker/errors.h"
#include "judge/worker/limits.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

using report::Finding;
using report::FindingKind;

// One mistake often causes many findings: a few are enough to begin with.
constexpr std::size_t most_shown = 4;

/// How to call.
struct Plan {
  Orders orders;              ///< There is a call for each.
  std::uint64_t block_limit;  ///< This many blocks of a launch are looked at; 0 for all.
};

/// How many more calls there are. What a submission does may depend on where its arrays are, or on
/// how often it was called before. The first call of a function is small, so more of them take next
/// to no time.
std::size_t more_calls(const Function& function, const std::vector<CallArgument>& arguments) {
  static std::set<std::uint32_t> called;
  if (!called.insert(function.index).second) return 0;
  constexpr std::size_t bytes_in_all = 32 << 10;
  std::size_t bytes = 1;
  for (const CallArgument& argument : arguments) bytes += argument.bytes;
  return std::min<std::size_t>(Images::places, bytes_in_all / bytes);
}

Plan plan_for(Look look, const Function& function, const std::vector<CallArgument>& arguments) {
  // Each of many blocks runs its threads in a random order of its own.
  if (look == Look::some_blocks) return {{Order::random}, 8};
  Plan plan = {all_orders, 0};
  plan.orders.insert(plan.orders.end(), more_calls(function, arguments), Order::random);
  return plan;
}

/// Barriers that some threads skip are mistakes in labs that say so.
bool is_note(const Finding& finding) {
  const bool is_warning = report::row_of(finding.kind).severity == report::Severity::warning;
  return is_warning ? !options().fails_skipped_barriers : finding.is_note();
}

using FindingKey = std::pair<FindingKind, std::string>;

/// Adds the findings that no earlier order of the threads has shown.
void add_new(std::vector<Finding>& all, std::set<FindingKey>& known,
             const std::vector<Finding>& found) {
  for (const Finding& finding : found) {
    const FindingKey key(finding.kind, show(finding.first.place) + "|" +
                                           show(finding.second.place) + "|" + finding.sentence);
    if (known.insert(key).second) all.push_back(finding);
  }
}

// The runtime's copies and fills can do what there is to do for a single element. Every test has
// calls with more.
constexpr std::size_t bytes_without_a_kernel = 64;

/// A submission that runs no kernel is not safe: there was nothing to check.
void assert_launched(const Observation& observation, const Function& function) {
  if (!observation.report.launches.empty() || observation.failure) return;
  if (observation.needed_loads + observation.needed_stores <= bytes_without_a_kernel) return;
  throw SubmissionError(
      {std::string(function.name) + " launched no kernel, so there is nothing to check.",
       "never_written"});
}

/// Observes a call. If there are blocks that do what no observed one did, it observes some of them,
/// too.
Observation observe_well(const Plan& plan, const Function& function,
                         const std::vector<CallArgument>& arguments, Order order, unsigned shift) {
  const auto once = [&] {
    return observe("submission", function, arguments, Detail::everything, order, plan.block_limit,
                   shift);
  };
  Observation observation = once();
  const auto& launches = observation.report.launches;
  const bool has_unlike =
      std::any_of(launches.begin(), launches.end(),
                  [](const report::LaunchReport& one) { return one.unlike_blocks > 0; });
  if (observation.failure || !has_unlike) return observation;
  return once();
}

struct Checked {
  std::vector<Finding> findings;
  std::vector<RunResult> runs;
  bool has_answers = false;  ///< Whether a thread took what an atomic operation returned.
  LeftBehind left;
};

Checked check_calls(const Plan& plan, const Function& function,
                    const std::vector<CallArgument>& arguments) {
  Checked checked;
  std::vector<Finding>& all = checked.findings;
  std::set<FindingKey> known;
  unsigned shift = 0;
  for (const Order order : orders_in_use(plan.orders)) {
    // After a mistake, more calls would say the same.
    if (shift >= all_orders.size() && !std::all_of(all.begin(), all.end(), is_note)) break;
    const Observation observation = observe_well(plan, function, arguments, order, shift++);
    assert_launched(observation, function);
    checked.left.add(observation.cuda_calls);
    note_stores(observation);
    for (const report::LaunchReport& launch : observation.report.launches) {
      add_new(all, known, launch.findings);
      checked.has_answers |= launch.totals.atomic_reads.requests > 0;
    }
    add_new(all, known, observation.report.findings);
    if (observation.failure && all.empty()) throw SubmissionError(*observation.failure);
    if (!observation.failure) checked.runs.push_back(observation.result);
  }
  return checked;
}

}  // namespace

void check_safe(Look look, const Function& function, const std::vector<CallArgument>& arguments,
                const std::function<void(const std::vector<RunResult>&)>& check_results) {
  if (look == Look::some_blocks && test_has_failed()) return;
  // Above a constant in its text, a submission may leave all of the work to one block.
  std::optional<LongerCalls> longer;
  if (look == Look::some_blocks) longer.emplace();
  before_call();
  keep_call(function, arguments);
  const Plan plan = plan_for(look, function, arguments);
  const Checked checked = or_fail([&] {
    try {
      return check_calls(plan, function, arguments);
    } catch (LongFailure& failure) {
      explain_time(failure.message);
      throw;
    }
  });
  SUCCEED();
  std::size_t shown = 0;
  for (const Finding& finding : checked.findings) {
    if (is_note(finding)) {
      WARN(report::text_of(finding, show));
    } else if (++shown <= most_shown) {
      Message message = message_of(finding);
      add_threads_that_left(message, finding, checked.findings);
      fail(message);
    }
  }
  if (shown > 0) return;
  checked.left.assert_few(function);
  TILELAB_REMARK("safety counts only where the result is right");
  std::optional<NoRaces> none_was_found;
  // What an atomic operation returns may depend on the order without a race.
  if (look == Look::all_blocks && !checked.has_answers) none_was_found.emplace();
  check_results(checked.runs);
}

}  // namespace tilelab::judge
