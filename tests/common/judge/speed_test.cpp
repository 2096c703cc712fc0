#include "probe.h"
//
#include "cast.h"
#include "event_file.h"
#include "judge/catch.h"
#include "judge/options.h"
#include "judge/speed/sampling.h"
#include "judge/speed/speed.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

/// A problem that shares its inputs with every other one from here.
SpeedProblem shared_problem() {
  static std::vector<int> in(1000);
  const Output<int> out("out", in.size());
  return {
      function_of<probe>(),
      arguments_of<probe>(in, out, 1000),
      [&](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
      [&](const Slice& slice) {
        const std::vector<int> got = slice.values<int>();
        for (std::size_t k = 0; k < got.size(); ++k) {
          const auto expected = static_cast<unsigned>(in[slice.first + k]) + 1;
          if (static_cast<unsigned>(got[k]) != expected) return false;
        }
        return true;
      },
  };
}

const LeastWork probe_work = {Peak::bytes, 2.0 * sizeof(int) * 1000};

/// Enough rounds for a median that other work on the machine does not move.
const Sampling few_rounds = {.seconds_for_more = 5};

SpeedSamples samples_of_probe() { return take_samples({shared_problem()}, probe_work, few_rounds); }

}  // namespace

TEST_CASE("the more there is to gain, the less exactly a speedup has to be known") {
  const auto needed = [](double baseline, double reference) {
    tilelab::judge::SpeedSamples samples;
    for (int round = 0; round < 3; ++round) {
      samples.contenders["baseline"].push_back({.judge = baseline});
      samples.contenders["reference"].push_back({.judge = reference});
    }
    return samples.good_half_width();
  };
  CHECK(needed(1, 1) == 0.005);
  CHECK(needed(1, 2) == 0.005);
  CHECK(needed(1000, 1) > 0.034);
  CHECK(needed(1000, 1) < 0.035);
  tilelab::judge::SpeedSamples without_reference;
  without_reference.contenders["baseline"].push_back({.judge = 1000});
  CHECK(without_reference.good_half_width() == 0.005);
}

TEST_CASE("a speedup is measured against the baseline of the same run") {
  const Cast cast("honest", "slow", "honest");
  const SpeedSamples samples = samples_of_probe();
  CHECK(samples.speedup("baseline", "baseline").value == 1);
  for (const char* name : {"submission", "reference"}) {
    const Interval speedup = samples.speedup(name, "baseline");
    CHECK(speedup.value > 5);
    CHECK(speedup.low <= speedup.value);
    CHECK(speedup.high >= speedup.value);
  }
  // The slow one sleeps for 3 ms of each launch: the judge's clock is off by less than a third.
  CHECK(samples.seconds("baseline", &SpeedSample::judge) > 0.003);
  CHECK(samples.seconds("baseline", &SpeedSample::judge) < 0.004);
  CHECK(samples.peaks.empty());  // no worker measures them
}

TEST_CASE("a worker besides the graded ones takes part in the first rounds only") {
  Cast cast("honest", "slow", "honest");
  options().workers["02_tile"] = options().workers["submission"];
  const SpeedSamples samples =
      take_samples({shared_problem()}, probe_work, {.seconds_for_more = 5, .rounds_for_others = 3});
  CHECK(samples.rounds() >= 9);
  CHECK(samples.contenders.at("02_tile").size() == 3);
  CHECK(samples.contenders.at("submission").size() == samples.rounds());
  CHECK(samples.speedup("02_tile", "baseline").value > 5);
}

TEST_CASE("the peak is measured alongside what is timed") {
  Cast cast("honest", "slow", "honest");
  options().workers["peaks"] = PEAKS;
  const SpeedSamples samples = samples_of_probe();
  CHECK(samples.peaks.size() == samples.rounds());
  CHECK(samples.share_of_peak("baseline").value > 0);
  CHECK(samples.share_of_peak("baseline").value < samples.share_of_peak("submission").value);
}

TEST_CASE("the amounts that plots need are written with the times") {
  Cast cast("honest", "honest", "honest");
  options().workers["peaks"] = PEAKS;
  const EventFile events;
  benchmark("timed", {shared_problem()}, probe_work, {1000, 3000, 8000});
  const std::string written = events.text();
  CHECK_THAT(written, contains("\"peak\": {\"of\": \"bytes\", \"amount\": 8000, "));
  CHECK_THAT(written, contains("\"work\": {\"n\": 1000, \"operations\": 3000, \"bytes\": 8000}"));
  for (const char* worker : {"submission", "baseline", "reference"}) {
    CHECK_THAT(written, contains("\"type\": \"timing\", \"problem\": \"timed\", \"worker\": \"" +
                                 std::string(worker) + "\", \"ms\": "));
  }
}

TEST_CASE("several problems are timed one after the other, and their times are added") {
  const Cast cast("honest", "slow", "honest");
  const SpeedSamples samples =
      take_samples({shared_problem(), shared_problem()}, probe_work, few_rounds);
  CHECK(samples.seconds("baseline", &SpeedSample::judge) > 0.006);
  CHECK(samples.seconds("baseline", &SpeedSample::judge) < 0.02);  // a busy machine takes longer
}

TEST_CASE("work left out of timed launches is found") {
  const Cast cast("works_once", "slow", "honest");
  CHECK_THROWS_WITH(samples_of_probe(), contains("gave a wrong result while it was timed"));
}

TEST_CASE("one result of the submission is checked in full") {
  const Cast cast("honest", "honest", "honest");
  std::vector<int> in(20'000);
  const Output<int> out("out", in.size());
  std::size_t in_full = 0;
  const SpeedProblem problem = {function_of<probe>(),
                                arguments_of<probe>(in, out, static_cast<int>(in.size())),
                                [](Random&) {},
                                [&](const Slice& slice) {
                                  if (slice.bytes.size() == sizeof(int) * in.size()) ++in_full;
                                  return true;
                                }};
  take_samples({problem}, {Peak::bytes, 1}, few_rounds);
  CHECK(in_full == 1);
}

TEST_CASE("a baseline that fails is not the submission's fault") {
  const Cast cast("honest", "aborts", "honest");
  CHECK_THROWS_AS(samples_of_probe(), InfrastructureError);
}

TEST_CASE("the ratios of a round count, not those of the medians") {
  SpeedSamples samples;
  // The machine became twice as slow after the first round, for both.
  samples.contenders["baseline"] = {{4, 4, 4}, {8, 8, 8}, {8, 8, 8}};
  samples.contenders["submission"] = {{2, 2, 2}, {4, 4, 4}, {4, 4, 4}};
  samples.peaks = {1, 2, 2};
  CHECK(samples.speedup("submission", "baseline").low == 2);
  CHECK(samples.speedup("submission", "baseline").high == 2);
  CHECK(samples.share_of_peak("submission").value == 0.5);
  CHECK(samples.seconds("submission", &SpeedSample::cold) == 4);
}
