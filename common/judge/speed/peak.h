#pragma once

#include <vector>

#include "judge/speed/speed_problem.h"

namespace tilelab::judge {

/// The hardware's peak as a problem that the worker "peaks" is timed with: a copy of as many bytes
/// as the least work has, as many bytes that are only read, or multiply-adds.
class PeakProblem {
 public:
  explicit PeakProblem(const LeastWork& least_work);
  PeakProblem(const PeakProblem&) = delete;
  PeakProblem& operator=(const PeakProblem&) = delete;

  const SpeedProblem& problem() const { return problem_; }

  /// Seconds that the least work takes at the peak, if one launch of problem() took `seconds`.
  double least_seconds(double seconds) const { return seconds * least_work_.amount / amount_; }

 private:
  LeastWork least_work_;
  double amount_;  // of bytes or instructions in one launch of problem()
  std::vector<unsigned> in_;
  SpeedProblem problem_;
};

}  // namespace tilelab::judge
