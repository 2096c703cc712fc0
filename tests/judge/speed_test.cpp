#include "probe.h"
//
#include "judge/catch.h"
#include "judge/options.h"
#include "judge/speed.h"
#include "judge/submission.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

/// Which worker plays which part, for the length of a test.
struct Cast {
  Cast(const std::string& submission, const std::string& baseline, const std::string& reference) {
    const std::filesystem::path folder = WORKER_FOLDER;
    options().workers = {{"submission", folder / submission},
                         {"baseline", folder / baseline},
                         {"reference", folder / reference}};
  }
  ~Cast() {
    stop_workers();
    options() = before;
  }
  Options before = options();
};

SpeedSamples samples_of_probe() {
  static std::vector<int> in(1000);
  const Output<int> out("out", in.size());
  return take_samples({
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
  });
}

}  // namespace

TEST_CASE("a speedup is measured against the baseline of the same run") {
  const Cast cast("honest", "slow", "honest");
  const SpeedSamples samples = samples_of_probe();
  CHECK(speedup(samples, "baseline") == 1);
  CHECK(speedup(samples, "submission") > 5);
  CHECK(speedup(samples, "reference") > 5);
  // The slow one sleeps for 3 ms of each launch: the judge's clock is off by less than a third.
  CHECK(samples.at("baseline").front().judge > 0.003);
  CHECK(samples.at("baseline").front().judge < 0.004);
}

TEST_CASE("times of several problems add up, round by round") {
  const SpeedSamples first = {{"baseline", {{4, 3}, {5, 4}}}, {"submission", {{1, 1}, {2, 1}}}};
  const SpeedSamples second = {{"baseline", {{6, 5}, {5, 3}}}, {"submission", {{4, 3}, {2, 2}}}};
  const SpeedSamples sum = sum_of({first, second});
  CHECK(sum.at("baseline")[0].judge == 10);
  CHECK(sum.at("baseline")[1].device == 7);
  CHECK(sum.at("submission")[1].judge == 4);
  CHECK(speedup(sum, "submission") == 2.5);
}

TEST_CASE("work left out of timed launches is found") {
  const Cast cast("works_once", "slow", "honest");
  CHECK_THROWS_WITH(samples_of_probe(), contains("was wrong while it was timed"));
}

TEST_CASE("a baseline that fails is not the submission's fault") {
  const Cast cast("honest", "aborts", "honest");
  CHECK_THROWS_AS(samples_of_probe(), InfrastructureError);
}
