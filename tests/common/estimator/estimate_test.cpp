#include "estimator/estimate/estimate.h"

#include "estimator/execution/unknown.h"
#include "estimator/stream/record.h"
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

/// A kernel in the folder kernels whose parameters are arrays and a number, with 256 threads in a
/// block. Arrays lie next to each other.
Estimate estimate_of(const std::string& name, std::uint32_t blocks,
                     const std::vector<Array>& arrays, std::uint32_t number) {
  Launch launch;
  launch.kernel = name;
  launch.grid = {blocks, 1, 1};
  launch.block = {256, 1, 1};
  for (const Array& it : arrays) add_parameter(launch.parameters, it.address);
  add_parameter(launch.parameters, number);
  return Estimator({}, arrays).next(kernel_in_file(name), launch, kernel);
}

constexpr std::uint64_t middle = 0x7f4000000000;
constexpr std::uint32_t many_blocks = 1 << 16;
constexpr std::uint64_t few = 1 << 20, many = 1 << 26;
constexpr std::uint64_t words = std::uint64_t{256} * many_blocks;

/// Loads of this many floats where indices say, of which a mask leaves some bits.
Estimate gathered(std::uint64_t floats, std::uint64_t mask, Contents indices = Contents::bits) {
  return estimate_of("gather", many_blocks,
                     {{in, 4 * words, indices},
                      {middle, 4 * floats, Contents::fractions},
                      {out, 4 * words, Contents::zeros}},
                     static_cast<std::uint32_t>(mask));
}

Estimate counted(unsigned bits) {
  return estimate_of("bins", many_blocks,
                     {{in, 4 * words, Contents::bits}, {out, 4UL << bits, Contents::zeros}},
                     32 - bits);
}

/// @param mask  of indices to local memory
Estimate counted_in_local(std::uint32_t blocks, std::uint32_t mask) {
  return estimate_of("local", blocks,
                     {{in, std::uint64_t{1024} * blocks, Contents::bits},
                      {out, std::uint64_t{1024} * blocks, Contents::zeros}},
                     mask);
}

}  // namespace

TEST_CASE("random loads of a large array come from DRAM again and again") {
  const Estimate small = gathered(few, few - 1), large = gathered(many, many - 1);
  CHECK(small.dram_bytes < 9.0 * words);
  CHECK(large.dram_bytes > 8.0 * words + 0.8 * 64 * words);
  CHECK(small.spread < 0.01);
  CHECK(large.spread > 0.15);
}

TEST_CASE("where indices are not known, nothing is") {
  CHECK_THROWS_WITH(gathered(few, all_lanes), tilelab::contains("depends on data that nobody has"));
  CHECK_THROWS_WITH(gathered(few, few - 1, Contents::zeros),
                    tilelab::contains("depends on data that nobody has"));
}

TEST_CASE("atomics between those that microbenchmarks measure have no rate") {
  CHECK_THROWS_WITH(counted(20), tilelab::contains("its atomics go all over memory"));
  CHECK_THROWS_WITH(counted(25), tilelab::contains("it stores all over an array"));
  CHECK(counted(8).atomics_busy > 0.5);
}

TEST_CASE("what works in local memory has no rate") {
  CHECK_THROWS_WITH(counted_in_local(132, 0), tilelab::contains("it works in local memory"));
  CHECK_THROWS_WITH(counted_in_local(4000, 63), tilelab::contains("it works in local memory"));
}

TEST_CASE("constants that differ between lanes have no rate") {
  const auto looked_up = [](std::uint32_t mask) {
    Launch launch;
    launch.kernel = "constants";
    launch.grid = {4000, 1, 1};
    launch.block = {256, 1, 1};
    add_parameter(launch.parameters, out);
    add_parameter(launch.parameters, mask);
    for (std::uint32_t i = 0; i < 64; ++i) add_parameter(launch.parameters, i);
    return Estimator({}, {{out, 4 * 256 * 4000, Contents::zeros}})
        .next(kernel_in_file("refused/constants"), launch, kernel);
  };
  CHECK(looked_up(0).instructions > 0);
  CHECK_THROWS_WITH(looked_up(63), tilelab::contains("its lanes read different constants at once"));
}

TEST_CASE("blocks that wait for each other are not simulated") {
  const auto waiting = [](std::uint32_t blocks) {
    return estimate_of("refused/waits", blocks, {{out, std::uint64_t{4} * blocks, Contents::bits}},
                       1);
  };
  CHECK(waiting(1).instructions > 0);
  CHECK_THROWS_WITH(waiting(1000), tilelab::contains("its blocks may wait for each other"));
}

TEST_CASE("blocks that do unequal work widen an estimate") {
  const auto rounds = [](std::uint32_t blocks, std::uint32_t shift) {
    return estimate_of("rounds", blocks, {{out, std::uint64_t{1024} * blocks, Contents::zeros}},
                       shift);
  };
  CHECK(rounds(4000, 31).spread < 0.1);
  const Estimate one_wave = rounds(1056, 20), many_waves = rounds(100'000, 20);
  CHECK(one_wave.spread > 0.2);
  CHECK(many_waves.spread < 0.2);
  // Two thousand rounds on average, each a little more than an instruction.
  CHECK(many_waves.instructions == Approx(8.0 * 100'000 * 2048 * 1.2).epsilon(0.1));
}

TEST_CASE("what the first block does in place of others takes its time") {
  constexpr std::uint32_t blocks = 4000, all = 256 * blocks;
  const auto stored = [](std::uint32_t n) {
    return estimate_of("leftovers", blocks, {{out, std::uint64_t{4} * n, Contents::zeros}}, n);
  };
  const Estimate equal = stored(all), few_more = stored(all + 256), twice = stored(2 * all);
  CHECK(few_more.cycles < 1.2 * equal.cycles);
  CHECK(twice.cycles > 5 * equal.cycles);
  CHECK(twice.spread > 0.5);
}

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
