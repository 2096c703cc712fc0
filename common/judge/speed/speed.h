#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "judge/speed/speed_problem.h"

/// Measurements, each reported as a schema::Measurement and, per worker, a schema::Timing.
///
/// They are meant for a GPU: an emulator's time says nothing about a kernel. Each fails the current
/// test if a timed launch of the submission left a wrong result, and ends the judge if one of the
/// lab's own kernels did. A problem of several functions takes the time of one launch of each.
namespace tilelab {

/// Times submission, baseline and reference solution in turn within one run, each in a worker of
/// its own, by the judge's clock. The problem is called "speed".
void measure_speed(const std::vector<SpeedProblem>& problems, const LeastWork& least_work);

/// Times all workers that the judge was given, by device events, and reports the work with them.
/// Only the lab's own kernels are timed like this: a submission could forge its events.
void benchmark(const std::string& title, const std::vector<SpeedProblem>& problems,
               const LeastWork& least_work, const Work& work);

/// Times all workers that the judge was given, by the judge's clock, as submissions need it.
void challenge(const std::string& title, const std::vector<SpeedProblem>& problems,
               const LeastWork& least_work);

/// The largest number of elements whose arrays, of `bytes_per_element` in all, leave room on the
/// GPU: `most`, or `most` halved as often as needed.
std::size_t largest_problem(std::size_t most, std::size_t bytes_per_element);

/// The same for arrays that take bytes(n) for n elements.
std::size_t largest_problem(std::size_t most, const std::function<double(std::size_t n)>& bytes);

}  // namespace tilelab
