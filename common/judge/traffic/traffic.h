#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/calls/observation.h"

namespace tilelab {
namespace judge {

/// The counts of all launches of a call. If only some blocks of a launch were traced, their counts
/// are scaled to all blocks.
report::MemoryCounts total_counts(const Observation& observation);

}  // namespace judge

/// A figure of a call's memory traffic. Less is better. A lab's judge may define its own.
struct TrafficMetric {
  const char* id;    ///< The pattern under which a lab keeps its hint, and the name in `[[speed]]`.
  const char* unit;  ///< The words after the figure: "1.00 ...".
  /// Computes the figure.
  double (*of)(const judge::Observation&);
  /// Computes how much an instruction adds to the figure, in any unit. Without it, messages do not
  /// say which line adds most.
  std::uint64_t (*of_line)(const report::MemoryCounts&) = nullptr;
};

/// A part of a whole; 0 of nothing.
double ratio(double part, double whole);

/// The bytes that all threads load from global memory, over the bytes of all inputs. A vector load
/// counts as its elements.
extern const TrafficMetric loads_per_element;

/// The bytes of the 32-byte sectors that global accesses touch, over the bytes that they request.
/// It is 1 if the accesses are coalesced, so that the lanes of a warp use all that is moved, and 8
/// if each lane uses 4 bytes of a sector of its own. Broadcasts can bring it below 1.
extern const TrafficMetric sector_excess;

/// The wavefronts of shared memory that bank conflicts add, per request.
extern const TrafficMetric bank_conflicts;

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

  /// What the submission did.
  const judge::Observation& submission() const { return submission_; }

  /// Fails the test if the submission's figure is more than `factor` times the reference
  /// solution's, or `factor` times `least` if that is more. The message has all three figures. The
  /// test ends without a verdict if nobody knows the reference solution's.
  void check_at_most(double factor, const TrafficMetric& metric, double least = 0) const;

  /// Lets a `[[speed]]` task of lab.toml name a metric that no test checks. It has no other use.
  void report(const TrafficMetric& metric) const;

 private:
  judge::Observation submission_, baseline_;
  Reference reference_;
};

namespace judge {

/// Does the work of observe_traffic(), below, without types.
Traffic observe_traffic(const Function& function, const std::vector<CallArgument>& arguments,
                        RunResult& submission_result);

}  // namespace judge

/// Calls F in the checked builds of the submission, the baseline and the reference solution. A
/// submission that fails fails the test. Without a right result the counts say nothing, so then
/// there are none.
/// @param check      fails the test if the Outputs among the arguments are wrong, and returns
///                   whether they are right
/// @param arguments  are those of Submission::call(); each Output gets the submission's result
template <auto* F, class Check, class... A>
std::optional<Traffic> observe_traffic(Check check, A&&... arguments) {
  judge::RunResult result;
  Traffic traffic =
      judge::observe_traffic(judge::function_of<F>(), judge::arguments_of<F>(arguments...), result);
  judge::store_runs<F>({result}, arguments...);
  const bool is_right = check();
  if (!is_right) return std::nullopt;
  return traffic;
}

}  // namespace tilelab
