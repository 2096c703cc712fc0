// Whether a timed launch can use what an earlier one computed.

#include "probe.h"
//
#include <filesystem>

#include "judge/catch.h"
#include "judge/options.h"
#include "judge/speed/contender.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

struct Row {
  std::vector<int> in;
  Output<int> out;
  SpeedProblem problem;

  explicit Row(std::size_t n)
      : in(n),
        out("out", n),
        problem{function_of<probe>(), arguments_of<probe>(in, out, static_cast<int>(n)),
                [this](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
                [this](const Slice& slice) { return is_right(slice); }} {}

  bool is_right(const Slice& slice) const {
    const std::vector<int> got = slice.values<int>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      const auto expected = static_cast<unsigned>(in[slice.first + k]) + 1;
      if (static_cast<unsigned>(got[k]) != expected) return false;
    }
    return true;
  }
};

/// Takes samples of a worker that plays the submission, and returns what it printed.
std::string measure(const std::string& program, Freshness freshness, int samples = 2,
                    std::size_t n = 50'000) {
  const Options before = options();
  options().workers = {{"submission", std::filesystem::path(WORKER_FOLDER) / program}};
  Row row(n);
  const GpuClock clock("");
  Random random(1);
  std::string printed;
  try {
    Contender contender("submission", row.problem, clock, freshness);
    for (int i = 0; i < samples; ++i) {
      RoundInputs inputs(row.problem, random);
      contender.measure(inputs, random);
    }
    printed = worker("submission").take_output();
  } catch (...) {
    stop_workers();
    options() = before;
    throw;
  }
  stop_workers();
  options() = before;
  return printed;
}

}  // namespace

TEST_CASE("no two timed launches get the same inputs") {
  CHECK_THAT(measure("remembers_inputs", Freshness::turns), !contains("inputs again"));
  // The first set also serves to warm up, which does not count.
  const std::string printed = measure("remembers_inputs", Freshness::own_inputs);
  CHECK_THAT(printed, !contains("inputs again elsewhere"));
}

TEST_CASE("a result that was there before is no longer right") {
  CHECK_NOTHROW(measure("trusts_a_sample", Freshness::own_inputs));
  // The sample may hold what changed. On a busy machine a batch has few launches.
  CHECK_THROWS_AS(measure("trusts_a_sample", Freshness::turns, 8), SubmissionError);
}

TEST_CASE("launches in the middle of a batch are checked") {
  const Freshness freshness = GENERATE(Freshness::own_inputs, Freshness::turns);
  CHECK_NOTHROW(measure("honest", freshness));
  CHECK_THROWS_AS(measure("works_every_fourth_time", freshness, 4), SubmissionError);
}

TEST_CASE("launches in the middle of a batch are checked if they leave a single number") {
  CHECK_NOTHROW(measure("honest", Freshness::turns, 4, 1));
  CHECK_THROWS_AS(measure("works_every_fourth_time", Freshness::turns, 4, 1), SubmissionError);
}
