#pragma once

#include <string>
#include <utility>
#include <vector>

#include "judge/calls/observation.h"

namespace tilelab {
namespace judge {

/// All launches of a call together; where only some blocks of a launch were observed, these stand
/// for the others.
report::MemoryCounts total_counts(const Observation& observation);

}  // namespace judge

/// A figure of a call's memory traffic: the less, the better.
struct TrafficMetric {
  const char* id;    ///< The pattern under which a lab keeps its hint.
  const char* unit;  ///< completes "1.00 ..."
  /// Its value.
  double (*of)(const judge::Observation&);
  /// How much an instruction adds to it, in whatever unit.
  std::uint64_t (*of_line)(const report::MemoryCounts&);
};

/// Bytes that the threads ask global memory for, over the bytes of all inputs. A vector load counts
/// as its elements.
extern const TrafficMetric loads_per_element;

/// Sectors of 32 bytes that global accesses touch, times 32, over the bytes they ask for: 1 where
/// the lanes of a warp use all that is moved, 8 where each of them takes 4 bytes of a sector.
/// Broadcasts can bring it under 1.
extern const TrafficMetric sector_excess;

/// Wavefronts of shared memory beyond those that the same requests need without bank conflicts,
/// per request.
extern const TrafficMetric bank_conflicts;

/// What submission, baseline and reference solution move for the same call.
class Traffic {
 public:
  /// What the three workers were seen doing.
  Traffic(judge::Observation submission, judge::Observation baseline, judge::Observation reference)
      : submission_(std::move(submission)),
        baseline_(std::move(baseline)),
        reference_(std::move(reference)) {}

  /// Fails the test if the submission's figure is more than `factor` times the reference
  /// solution's, or than `factor` times `least` where that is more. Call it after the results were
  /// found right: counts without a result say nothing. Notes the three figures either way.
  void check_at_most(double factor, const TrafficMetric& metric, double least = 0) const;

 private:
  judge::Observation submission_, baseline_, reference_;
};

namespace judge {

/// Observes the three workers; a submission that fails fails the test.
Traffic observe_traffic(const Function& function, const std::vector<CallArgument>& arguments,
                        RunResult& submission_result);

}  // namespace judge

/// Calls F under observation: the submission's (each Output then holds its result), the baseline's
/// and the reference solution's. Arguments as for Submission::call().
template <auto* F, class... A>
Traffic observe_traffic(A&&... arguments) {
  judge::RunResult result;
  Traffic traffic =
      judge::observe_traffic(judge::function_of<F>(), judge::arguments_of<F>(arguments...), result);
  judge::store_runs({result}, arguments...);
  return traffic;
}

}  // namespace tilelab
