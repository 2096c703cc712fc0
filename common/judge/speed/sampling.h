#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/speed/contender.h"
#include "judge/speed/speed_problem.h"
#include "judge/speed/statistics.h"

namespace tilelab::judge {

/// What a measurement found, round by round. In a round all contenders have the same inputs, and
/// come in a random order.
struct SpeedSamples {
  double SpeedSample::*clock = &SpeedSample::judge;  ///< whose time the ratios are made of
  /// By worker; several problems' times are added.
  std::map<std::string, std::vector<SpeedSample>> contenders;
  /// Seconds that the least work takes at the peak. Empty if the peak was not measured.
  std::vector<double> peaks;
  double sm_mhz = 0;  ///< median clock of the multiprocessors while they worked; 0 if unknown
  int discarded = 0;  ///< rounds in which the clock was slowed down

  /// How many count.
  std::size_t rounds() const { return contenders.empty() ? 0 : contenders.begin()->second.size(); }
  /// The median of one of the clocks.
  double seconds(const std::string& contender, double SpeedSample::*by) const;
  /// How many times as fast as another worker, by the ratios of each round.
  Interval speedup(const std::string& contender, const std::string& over) const;
  /// How much of the peak was reached, by the ratios of each round.
  Interval share_of_peak(const std::string& contender) const;
};

/// How samples are taken.
struct Sampling {
  /// Whose time counts. The judge's clock is for what is graded; device events, which a submission
  /// could forge, are nearer to the kernel.
  double SpeedSample::*clock = &SpeedSample::judge;
  double seconds_for_more = 60;  ///< than the fewest rounds, while they narrow the intervals
};

/// Times all workers in turn, and the peak if a worker "peaks" was given, until the speedups over
/// the baseline are known well enough or the time for it is spent. Throws SubmissionError if a
/// timed launch of the submission left a wrong result, InfrastructureError if another worker's did.
SpeedSamples take_samples(const std::vector<SpeedProblem>& problems, const LeastWork& least_work,
                          const Sampling& how = {});

}  // namespace tilelab::judge
