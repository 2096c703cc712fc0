#include "judge/speed/statistics.h"

#include <random>

#include "judge/catch.h"

using namespace tilelab::judge;

TEST_CASE("a median is the one in the middle") {
  CHECK(median({3}) == 3);
  CHECK(median({9, 1, 5}) == 5);
}

TEST_CASE("what never varies has an interval of no length") {
  const Interval interval = median_interval({2, 2, 2, 2});
  CHECK(interval.low == 2);
  CHECK(interval.high == 2);
  CHECK(interval.half_width() == 0);
}

TEST_CASE("an interval holds the true median in about 95 of 100 samples") {
  std::mt19937 engine(1);
  std::lognormal_distribution<double> times(0, 0.05);  // its median is 1
  int held = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(25);
    for (double& value : values) value = times(engine);
    const Interval interval = median_interval(values);
    if (interval.low <= 1 && 1 <= interval.high) ++held;
  }
  CHECK(held > 0.91 * trials);
  CHECK(held < 0.99 * trials);
}
