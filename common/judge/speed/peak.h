#pragma once

#include <vector>

#include "judge/speed/speed_problem.h"

namespace tilelab::judge {

/// What the machine itself can do at most, as a problem that the worker "control" is timed with.
class Control {
 public:
  /// The control for a floor: a copy of as many bytes, or multiply-adds.
  explicit Control(const Floor& floor);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  const SpeedProblem& problem() const { return problem_; }

  /// Seconds that the machine needs for the floor, if one launch of the control took `seconds`.
  double floor_seconds(double seconds) const { return seconds * floor_.amount / amount_; }

 private:
  Floor floor_;
  double amount_;  // of bytes or instructions in one launch of the control
  std::vector<int> in_;
  SpeedProblem problem_;
};

}  // namespace tilelab::judge
