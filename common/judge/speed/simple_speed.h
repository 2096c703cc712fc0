#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "judge/catch.h"
#include "judge/speed/speed.h"

namespace tilelab {

/// A function of a lab, and the arguments that it is timed with.
struct SpeedCall {
  judge::Function function;                    ///< The function.
  std::vector<judge::CallArgument> arguments;  ///< Its arguments.
};

/// A call as a test writes it: `speed_call<diff>(in, out, n)`. The inputs must outlive it.
template <auto* F, class... A>
SpeedCall speed_call(const A&... arguments) {
  return {judge::function_of<F>(), judge::arguments_of<F>(arguments...)};
}

namespace judge {

/// Replaces a problem's arguments after a draw, which may have moved its arrays but must not have
/// changed their sizes. Throws InfrastructureError if it has.
void renew_arguments(SpeedProblem& problem, const std::vector<CallArgument>& arguments);

}  // namespace judge

/// What one launch needs at least, and what it does.
struct SpeedWork {
  LeastWork least;  ///< What it cannot do without.
  Work work;        ///< What it does, for plots.
};

/// The work of a function that moves each element once, for any number of elements: this many bytes
/// and operations per element. If nearly all bytes are read, and few are written, their peak is
/// Peak::reads.
std::function<SpeedWork(std::size_t n)> work_per_element(std::size_t bytes, double operations,
                                                         Peak peak = Peak::bytes);

/// The numbers of elements that a lab is timed with, by the tags of the tests.
struct SpeedSizes {
  std::size_t speed;  ///< A grade draws the inputs anew in each round, so it should not take long.
  std::vector<std::size_t> bench;    ///< The ladder is timed with each of these.
  std::vector<std::size_t> scaling;  ///< Times against n are those of these sizes.
  std::size_t challenge;             ///< The challenge has this many elements.
};

/// How a lab with one function is timed, in one declaration. Each test of the lab that measures is
/// one call:
///
///     TEST_CASE("diff is faster than the baseline", "[speed]") { timed_diff.speed(); }
///     TEST_CASE("diff's ladder is timed", "[bench]") { timed_diff.bench(); }
///     TEST_CASE("diff is timed against n", "[scaling]") { timed_diff.scaling(); }
///     TEST_CASE("the fastest diff", "[challenge]") { timed_diff.challenge(); }
///
/// `Inputs` holds what the function is called with, and is made from n: a vector will often do.
/// Where the GPU has no room for the arrays, n is halved.
template <class Inputs>
struct SimpleSpeed {
  /// The call with these inputs, which are for n elements.
  std::function<SpeedCall(const Inputs&, std::size_t n)> call;
  /// Draws new inputs of the same sizes.
  std::function<void(Inputs&, Random&)> draw;
  /// Whether a piece of an output is right.
  std::function<bool(Inputs&, const Slice&)> is_right;
  /// What a launch needs and does for n elements.
  std::function<SpeedWork(std::size_t n)> work;
  /// Works out what is right and keeps it with the inputs: for outputs that depend on all inputs,
  /// which `is_right` would else go through for each piece. Empty for others.
  std::function<void(Inputs&)> expect = {};
  /// With how many elements.
  SpeedSizes sizes;

  /// The test with the tag [speed].
  void speed() const {
    time(sizes.speed, [](std::size_t, const Problems& problems, const SpeedWork& does) {
      measure_speed(problems, does.least);
    });
  }

  /// The test with the tag [bench].
  void bench() const { benchmark_with(GENERATE_REF(from_range(sizes.bench))); }

  /// The test with the tag [scaling].
  void scaling() const { benchmark_with(GENERATE_REF(from_range(sizes.scaling))); }

  /// The test with the tag [challenge].
  void challenge() const {
    time(sizes.challenge, [](std::size_t n, const Problems& problems, const SpeedWork& does) {
      tilelab::challenge(title(n), problems, does.least);
    });
  }

 private:
  using Problems = std::vector<SpeedProblem>;

  static std::string title(std::size_t n) { return "n = " + std::to_string(n); }

  void benchmark_with(std::size_t most) const {
    time(most, [](std::size_t n, const Problems& problems, const SpeedWork& does) {
      benchmark(title(n), problems, does.least, does.work);
    });
  }

  /// Calls measure(n, problems, work) with the largest n that the GPU has room for.
  template <class Measure>
  void time(std::size_t most, Measure&& measure) const {
    const std::size_t n =
        largest_problem(most, [this](std::size_t some) { return work(some).work.bytes; });
    Inputs inputs(n);
    SpeedCall first = call(inputs, n);
    Problems problems{{first.function, std::move(first.arguments), {}, {}}};
    problems.front().fresh = [&](Random& random) {
      draw(inputs, random);
      judge::renew_arguments(problems.front(), call(inputs, n).arguments);
    };
    if (expect) problems.front().expect = [&] { expect(inputs); };
    problems.front().right = [&](const Slice& slice) { return is_right(inputs, slice); };
    measure(n, problems, work(n));
  }
};

}  // namespace tilelab
