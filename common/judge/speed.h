#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "judge/arguments.h"
#include "judge/random.h"

namespace tilelab {

/// A piece of an output that a timed launch left behind.
struct Slice {
  std::string name;                  ///< of the Output
  std::size_t first;                 ///< index of its first element
  std::span<const std::byte> bytes;  ///< of whole elements

  /// The elements.
  template <class T>
  std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

/// A timed problem: `fresh` draws new inputs into the arrays that the arguments refer to, `right`
/// says whether a slice of an output fits the inputs drawn last.
struct SpeedProblem {
  judge::Function function;                    ///< what is timed
  std::vector<judge::CallArgument> arguments;  ///< what it is called with
  std::function<void(Random&)> fresh;          ///< draws inputs
  std::function<bool(const Slice&)> right;     ///< checks results
};

namespace judge {

/// Seconds per launch in one round.
struct SpeedSample {
  double judge = 0;   ///< by the judge's clock, which counts
  double device = 0;  ///< by the worker's device events, for comparison
};

/// A sample per round, by contender: "submission", "baseline", "reference".
using SpeedSamples = std::map<std::string, std::vector<SpeedSample>>;

/// Times all contenders in turn. Throws SubmissionError if a timed launch of the submission left a
/// wrong result, InfrastructureError if one of the other two did.
SpeedSamples take_samples(const SpeedProblem& problem);

/// What one launch of all problems takes, round by round.
SpeedSamples sum_of(const std::vector<SpeedSamples>& per_problem);

/// Median over the rounds of baseline time / contender time.
double speedup(const SpeedSamples& samples, const std::string& contender);

}  // namespace judge

/// Times submission, baseline and reference, each in a worker of its own and in turn within one
/// run, and notes the result among the judge's metrics as criterion "speed". Fails the current test
/// if a timed launch of the submission left a wrong result. Meant for a GPU: an emulator's time
/// says nothing about a kernel.
///
/// The time is the judge's own: from the request for a batch of launches until a randomly chosen
/// piece of its results is here. Inputs are new in every round, outputs are overwritten before
/// every batch, buffers take turns and the L2 cache is flushed.
void measure_speed(const SpeedProblem& problem);

/// The same for a lab with several functions: what counts is the time of one launch of each.
void measure_speed(const std::vector<SpeedProblem>& problems);

/// The largest count of elements, `most` or a power of two less often, whose arrays of
/// `bytes_per_element` in all leave room on the GPU.
std::size_t largest_problem(std::size_t most, std::size_t bytes_per_element);

}  // namespace tilelab
