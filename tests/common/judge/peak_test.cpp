#include "peaks/peaks.h"
//
#include <numeric>

#include "judge/calls/runs.h"
#include "judge/catch.h"

using namespace tilelab;
using namespace tilelab::judge;

TEST_CASE("the copy copies") {
  Worker peaks(PEAKS);
  std::vector<int> in(1000);
  std::iota(in.begin(), in.end(), 7);
  const Output<int> out("out", in.size());
  const auto runs =
      run_in_orders(peaks, function_of<copy>(), arguments_of<copy>(in, out, 1000), all_orders).runs;
  CHECK(std::memcmp(runs[0].outputs[0].values.data(), in.data(), sizeof(int) * in.size()) == 0);
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
