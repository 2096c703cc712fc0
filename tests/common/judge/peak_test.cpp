#include "peaks/peaks.h"
//
#include <numeric>

#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/speed/peak.h"

using namespace tilelab;
using namespace tilelab::judge;

TEST_CASE("the copy copies") {
  Worker peaks(PEAKS);
  std::vector<unsigned> in(1000);
  std::iota(in.begin(), in.end(), 7u);
  const Output<unsigned> out("out", in.size());
  const auto runs =
      run_in_orders(peaks, function_of<copy>(), arguments_of<copy>(in, out, 1000), all_orders).runs;
  CHECK(std::memcmp(runs[0].outputs[0].values.data(), in.data(), sizeof(unsigned) * in.size()) ==
        0);
}

TEST_CASE("a kernel that only reads reads all of it") {
  PeakProblem peak({Peak::reads, 2'113.0 * read_tile * sizeof(unsigned)});
  const SpeedProblem& problem = peak.problem();
  Random random(1);
  problem.fresh(random);
  Worker peaks(PEAKS);
  const auto runs = run_in_orders(peaks, problem.function, problem.arguments, {Order::random}).runs;
  std::vector<std::byte> sums = runs[0].outputs[0].values;
  CHECK(problem.right({"out", 0, sums}));
  sums[0] ^= std::byte{1};
  CHECK_FALSE(problem.right({"out", 0, sums}));
  CHECK(peak.least_seconds(2) == Approx(2));
}

TEST_CASE("the multiply-adds keep each thread's number") {
  Worker peaks(PEAKS);
  const Output<float> out("out", fma_block);
  const auto runs = run_in_orders(peaks, function_of<multiply_add>(),
                                  arguments_of<multiply_add>(out, fma_block), all_orders)
                        .runs;
  std::vector<float> expected(fma_block);
  std::iota(expected.begin(), expected.end(), 0.0f);
  const auto& values = runs[0].outputs[0].values;
  CHECK(std::memcmp(values.data(), expected.data(), values.size()) == 0);
}
