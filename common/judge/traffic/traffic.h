#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/look.h"
#include "judge/calls/observation.h"
#include "judge/traffic/cost.h"

namespace tilelab {
/// A figure of a call's memory traffic: what it costs, over what the problem takes. The first is an
/// amount, which more work only makes larger, and the second is the same for every submission: so
/// nothing that a kernel does besides makes the figure smaller. Less is better. A lab's judge may
/// define its own.
struct TrafficMetric {
  const char* id;    ///< The pattern under which a lab keeps its hint, and the name in `[[speed]]`.
  const char* unit;  ///< The words after the figure: "1.00 ...".
  /// An amount. A line that adds to it is named in messages.
  std::uint64_t (*amount)(const judge::Cost&);
  /// How much the problem takes.
  double (*useful)(const judge::Problem&);
};

/// The elements of the problem's longest array, in warps.
double warps_of_elements(const judge::Problem& problem);

/// The pairs of two of these elements, in warps: what all warps would have to ask of shared memory
/// if each pair took a lane of one pass.
double warps_of_pairs(const judge::Problem& problem);

/// The bytes that are loaded from global memory by any means, over the bytes of all inputs. A
/// vector load counts as its elements.
extern const TrafficMetric loads_per_element;

/// The bytes that are stored to global memory by any means, over the bytes of all outputs. An
/// atomic operation stores what it changes.
extern const TrafficMetric stores_per_element;

/// The bytes of the 32-byte sectors that global accesses move and nobody asked for, over the bytes
/// of all inputs and outputs. It is 0 if the accesses are coalesced, so that the lanes of a warp
/// use all that is moved, and 7 if each lane uses 4 bytes of a sector of its own, once per element.
extern const TrafficMetric sector_excess;

/// The wavefronts of shared memory that bank conflicts add, per 32 elements.
extern const TrafficMetric bank_conflicts;

/// All wavefronts of shared memory, per 32 elements. Lanes that take turns have no conflicts, and
/// cost as many.
extern const TrafficMetric shared_wavefronts;

/// What submission, baseline and reference solution move for the same call.
class Traffic {
 public:
  /// A figure of the reference solution; none if nobody knows it.
  using Reference = std::function<std::optional<double>(const TrafficMetric&)>;

  /// Takes what two workers did, and what the reference solution does.
  Traffic(judge::Observation submission, judge::Observation baseline, Reference reference)
      : submission_(std::move(submission)),
        baseline_(std::move(baseline)),
        reference_(std::move(reference)) {}

  /// Takes what a few blocks of the submission did, and of the reference solution. If that is too
  /// much, `whole` says what all blocks do, or nothing if they cannot be looked at.
  Traffic(judge::Observation submission, Reference reference,
          std::function<std::optional<Traffic>()> whole)
      : submission_(std::move(submission)),
        reference_(std::move(reference)),
        whole_(std::move(whole)) {}

  /// The same, for a message that says that smaller calls do better.
  Traffic as_large() && {
    is_large_ = true;
    return std::move(*this);
  }

  /// What the submission did.
  const judge::Observation& submission() const { return submission_; }

  /// Fails the test if the submission's figure is more than `factor` times the reference
  /// solution's, and more than `least`. The message has all three figures. The
  /// test ends without a verdict if nobody knows the reference solution's. A few blocks alone fail
  /// no test: all of them have to do too much.
  void check_at_most(double factor, const TrafficMetric& metric, double least = 0) const;

  /// Lets a `[[speed]]` task of lab.toml name a metric that no test checks. It has no other use.
  void report(const TrafficMetric& metric) const;

 private:
  bool is_at_most(double factor, const TrafficMetric& metric, double least) const;

  judge::Observation submission_, baseline_;
  Reference reference_;
  bool is_large_ = false;  ///< Whether smaller calls do better.
  std::function<std::optional<Traffic>()> whole_;
};

namespace judge {

/// A figure of an observed call.
double figure_of(const Observation& observation, const TrafficMetric& metric);

/// Does the work of observe_traffic(), below, without types.
std::optional<Traffic> observe_traffic(Look look, const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       RunResult& submission_result);

}  // namespace judge

/// Calls F in the checked builds of the submission, the baseline and the reference solution. A
/// submission that fails fails the test. Without a right result the counts say nothing, so then
/// there are none.
/// @param look       says how closely
/// @param check      fails the test if the Outputs among the arguments are wrong, and returns
///                   whether they are right
/// @param arguments  are those of Submission::call(); each Output gets the submission's result
template <auto* F, class Check, class... A>
std::optional<Traffic> observe_traffic(Look look, Check check, A&&... arguments) {
  judge::RunResult result;
  std::optional<Traffic> traffic = judge::observe_traffic(
      look, judge::function_of<F>(), judge::arguments_of<F>(arguments...), result);
  if (!traffic) return std::nullopt;
  judge::store_runs<F>({result}, arguments...);
  const bool is_right = check();
  if (!is_right) return std::nullopt;
  return traffic;
}

/// Looks at all blocks of the call.
template <auto* F, class Check, class... A>
std::optional<Traffic> observe_traffic(Check check, A&&... arguments) {
  return observe_traffic<F>(Look::all_blocks, check, arguments...);
}

}  // namespace tilelab
