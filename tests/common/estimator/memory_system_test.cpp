#include "estimator/timing/memory_system.h"

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

const Gpu gpu;
constexpr double neighbors = 132;

Misses all_missing(double density, double stored_lines = 1) {
  const Moved moved{1, 1, density};
  return {{{0, 1 << 20, stored_lines, moved, moved}}};
}

/// The cycles that DRAM works for this many loads, each of other lines.
double dram_cycles_of_loads(std::uint8_t sectors, double density) {
  const Misses misses = all_missing(density);
  MemorySystem memory(gpu, misses, neighbors);
  for (std::uint64_t i = 0; i < 100; ++i) memory.load(0, {i, sectors, sectors}, sectors, 0);
  return memory.traffic().dram_busy;
}

double l2_cycles_of_stores(const Line& line) {
  const Misses misses{{{0, 1 << 20, 1, {0, 0, 1}, {0, 0, 1}}}};
  MemorySystem memory(gpu, misses, neighbors);
  for (std::uint64_t i = 0; i < 100; ++i) memory.store(0, {i, line.sectors, line.whole}, 0);
  return memory.traffic().l2_busy / 100;
}

/// How many requests the whole GPU serves per second.
double atomics_per_second(const char* text, int lanes, int distinct, int lines,
                          double stored_lines) {
  const Instruction one = function_of({text}).code.at(0);
  const Misses misses = all_missing(1, stored_lines);
  MemorySystem memory(gpu, misses, neighbors);
  Step step;
  step.lanes = static_cast<std::uint16_t>(lanes);
  step.distinct = static_cast<std::uint16_t>(distinct);
  step.lines = static_cast<std::uint16_t>(lines);
  for (std::uint64_t i = 0; i < 100; ++i) memory.atomic(0, one, step, {i, 1, 0});
  return 100 / memory.traffic().atomics_busy * gpu.gigahertz * 1e9 * neighbors;
}

}  // namespace

TEST_CASE("a word costs DRAM as much as a pair of sectors") {
  CHECK(dram_cycles_of_loads(0b0001, 1) == Approx(dram_cycles_of_loads(0b0011, 1)));
  CHECK(dram_cycles_of_loads(0b1111, 1) == Approx(2 * dram_cycles_of_loads(0b0001, 1)));
}

TEST_CASE("DRAM takes longer for a sector where little is touched around it") {
  const double dense = dram_cycles_of_loads(0b0011, 1);
  CHECK(dram_cycles_of_loads(0b0011, 0.25) / dense == Approx(1 + 3 * gpu.dram_open_read));
  // One sector of a region is the least.
  CHECK(dram_cycles_of_loads(0b0011, 0.001) / dense == Approx(1 + 7 * gpu.dram_open_read));
}

TEST_CASE("a line takes the L2 cache longer when a store leaves parts of sectors out") {
  const double partial = gpu.gigahertz * 1e9 * neighbors / gpu.partial_stores;
  CHECK(l2_cycles_of_stores({0, 0b0001, 0b0001}) < 2);
  CHECK(l2_cycles_of_stores({0, 0b0001, 0}) == Approx(partial));
  CHECK(l2_cycles_of_stores({0, 0b1111, 0}) ==
        Approx(std::max(partial, l2_cycles_of_stores({0, 0b1111, 0b1111}))));
}

TEST_CASE("lanes that add to one word take turns, and floats take longer") {
  const auto rate = [](const char* text, int lanes) {
    return atomics_per_second(text, lanes, 1, 1, 1);
  };
  CHECK(rate("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R0", 1) == Approx(gpu.atomics_same_word));
  CHECK(rate("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R0", 32) ==
        Approx(gpu.atomics_same_word / 32));
  CHECK(rate("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R0", 32) ==
        Approx(gpu.atomics_same_word_float / 32));
}

TEST_CASE("atomics on few lines take turns, on many lines they do not") {
  const auto rate = [](int distinct, int lines, double stored_lines) {
    return atomics_per_second("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R0", 32, distinct, lines,
                              stored_lines);
  };
  CHECK(rate(32, 1, 8) == Approx(8 * gpu.atomics_line));
  CHECK(rate(32, 1, 24) == Approx(24 * gpu.atomics_line));
  CHECK(rate(32, 1, 1e6) == Approx(gpu.atomics_words / 32));
  CHECK(rate(32, 32, 1e6) == Approx(gpu.atomics));
}
