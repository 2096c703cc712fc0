#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/speed/sampling.h"
#include "judge/speed/speed_problem.h"

namespace tilelab {

/// Times submission, baseline and reference, each in a worker of its own and in turn within one
/// run, and notes the result among the judge's metrics as criterion "speed". Fails the current test
/// if a timed launch of the submission left a wrong result. Meant for a GPU: an emulator's time
/// says nothing about a kernel.
///
/// What counts for a lab with several functions is the time of one launch of each.
void measure_speed(const std::vector<SpeedProblem>& problems, const Floor& floor);

/// Times all workers that the judge was given, by device events, and notes each among its metrics
/// under `title`, with the work. Fails the current test or ends the judge as measure_speed() does.
/// For the lab's own kernels: a submission could forge its events.
void benchmark(const std::string& title, const std::vector<SpeedProblem>& problems,
               const Floor& floor, const Work& work);

/// benchmark() by the judge's own clock, as submissions need it.
void race(const std::string& title, const std::vector<SpeedProblem>& problems, const Floor& floor);

/// The largest count of elements, `most` or a power of two less often, whose arrays of
/// `bytes_per_element` in all leave room on the GPU.
std::size_t largest_problem(std::size_t most, std::size_t bytes_per_element);

}  // namespace tilelab
