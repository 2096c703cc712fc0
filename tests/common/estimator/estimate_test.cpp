#include "estimator/estimate/estimate.h"

#include "estimator/estimate/record.h"
#include "judge/catch.h"
#include "schema/json.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr std::uint64_t in = 0x7f0000000000, out = 0x7f8000000000;

Launch launch_of(int n, std::uint64_t from, std::uint64_t to) {
  Launch made;
  made.kernel = "diff";
  made.grid = {static_cast<std::uint32_t>((n + 255) / 256), 1, 1};
  made.block = {256, 1, 1};
  add_parameter(made.parameters, from);
  add_parameter(made.parameters, to);
  add_parameter(made.parameters, n);
  return made;
}

std::vector<Array> arrays_of(int n) {
  const auto bytes = std::uint64_t{4} * static_cast<unsigned>(n);
  return {{in, bytes, Contents::bits}, {out, bytes, Contents::zeros}};
}

const Kernel kernel{16, 1028};

Estimate estimate_of(int n) {
  return Estimator({}, arrays_of(n)).next(kernel_in_file("diff"), launch_of(n, in, out), kernel);
}

}  // namespace

TEST_CASE("a large launch takes as long as its bytes need") {
  constexpr int n = 1 << 26;
  const Estimate estimate = estimate_of(n);
  CHECK(estimate.resident_blocks == 8);
  CHECK(estimate.blocks_per_multiprocessor == 1986);
  CHECK(estimate.share_simulated == 1);
  CHECK(estimate.dram_bytes == Approx(8.0 * n).epsilon(0.03));
  const Gpu gpu;
  const double least = 8.0 * n / gpu.dram_copy * gpu.gigahertz * 1e9;
  CHECK(estimate.cycles > 0.98 * least);
  CHECK(estimate.cycles < 3 * least);
  CHECK(estimate.dram_busy > 0.3);
  CHECK(estimate.bytes_in_flight > 1000);
}

TEST_CASE("twice the blocks take twice the time") {
  CHECK(estimate_of(1 << 26).cycles / estimate_of(1 << 25).cycles == Approx(2).epsilon(0.03));
}

TEST_CASE("the next launch finds a small output in the L2 cache") {
  constexpr int n = 1 << 20;
  const Function function = kernel_in_file("diff");
  Estimator estimator({}, arrays_of(n));
  const Estimate first = estimator.next(function, launch_of(n, in, out), kernel);
  const Estimate second = estimator.next(function, launch_of(n, out, in), kernel);
  CHECK(first.dram_bytes == Approx(8.0 * n).epsilon(0.05));
  CHECK(second.dram_bytes == Approx(4.0 * n).epsilon(0.05));
  CHECK(second.cycles < first.cycles);
}

TEST_CASE("an estimate is a line of JSON") {
  Estimate estimate;
  estimate.kernel = "a\"b";
  estimate.cycles = 12.5;
  estimate.stalls[place_of(Stall::barrier)] = 0.25;
  const std::string text = to_json(record_of(estimate));
  CHECK_THAT(text, tilelab::contains("\"kernel\": \"a\\\"b\", \"cycles\": 12.5, "));
  CHECK_THAT(text,
             tilelab::contains(
                 "\"busy\": {\"issue\": 0, \"l1\": 0, \"l2\": 0, \"atomics\": 0, \"dram\": 0}"));
  CHECK_THAT(text, tilelab::contains("\"barrier\": 0.25"));
  CHECK_THAT(text, tilelab::contains("\"share_simulated\": 1, "));
}
