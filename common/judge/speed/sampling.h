#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "judge/speed/contender.h"
#include "judge/speed/speed_problem.h"
#include "judge/speed/statistics.h"

namespace tilelab::judge {

/// What a measurement found, round by round. In a round all contenders get the same inputs, in a
/// random order.
struct SpeedSamples {
  double SpeedSample::*clock = &SpeedSample::judge;  ///< The ratios are made of these times.
  /// The samples of each worker, from the first round on. The times of several problems are added.
  std::map<std::string, std::vector<SpeedSample>> contenders;
  /// Seconds that the least work takes at the peak. Empty if the peak was not measured.
  std::vector<double> peaks;
  double sm_mhz = 0;  ///< The median clock of the busy multiprocessors; 0 if it is unknown.
  int discarded = 0;  ///< This many rounds do not count, because the clock was slowed down.

  /// The number of rounds that count.
  std::size_t rounds() const { return contenders.empty() ? 0 : contenders.at("baseline").size(); }
  /// A contender's median time by one of the clocks.
  double seconds(const std::string& contender, double SpeedSample::*by) const;
  /// How many times as fast as another worker a contender is, from the ratios of each round.
  Interval speedup(const std::string& contender, const std::string& over) const;
  /// How exactly speedups have to be known, as the half width of their intervals. Points grow with
  /// the logarithm of the speedup: where the reference solution is a thousand times as fast as the
  /// baseline, 1% of it is as much of the points as 0.14% where it is e times as fast.
  double good_half_width() const;
  /// How much of the peak a contender reached, from the ratios of each round.
  Interval share_of_peak(const std::string& contender) const;
};

/// How samples are taken.
struct Sampling {
  /// The times that count. What is graded needs the judge's clock. Device events are closer to the
  /// kernel, but a submission could forge them.
  double SpeedSample::*clock = &SpeedSample::judge;
  /// After the fewest rounds, others may follow for this long to narrow the intervals.
  double seconds_for_more = 60;
  /// Whether a launch must not be able to use what another one computed, as for all submissions.
  bool fresh = true;
  /// A worker besides submission, baseline, reference and peaks takes part in this many rounds.
  /// Such workers only mark places on the ladder, which need not be known as well.
  std::size_t rounds_for_others = std::numeric_limits<std::size_t>::max();
};

/// Times all workers in turn, and the peak if a worker "peaks" was given, until the speedups over
/// the baseline are known well enough or the time for it is spent. Throws SubmissionError if a
/// timed launch of the submission left a wrong result, InfrastructureError if another worker's did.
SpeedSamples take_samples(const std::vector<SpeedProblem>& problems, const LeastWork& least_work,
                          const Sampling& how = {});

}  // namespace tilelab::judge
