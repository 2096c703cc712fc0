#include "estimator/timing/sm.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

const Gpu gpu;
constexpr std::uint64_t array_lines = 1 << 20;

/// All of memory, of which this share misses the L2 cache.
Misses missing(double share) {
  const Moved moved{share, share, 1};
  return {{{0, array_lines, 1, moved, moved}}};
}

/// An instruction that sets scoreboard 0, and one that waits for it.
Instruction sets(Instruction one) {
  one.control.write_scoreboard = 0;
  return one;
}
Instruction waits(Instruction one) {
  one.control.waits = 1;
  return one;
}

Instruction instruction(const char* text) {
  Instruction made = function_of({text}).code.at(0);
  made.control = {};
  made.control.stall = 1;
  return made;
}

const Instruction load = instruction("LDG.E R0, desc[UR4][R2.64]");
const Instruction use = instruction("IADD3 R4, R0, 0x1, RZ");
const Instruction end = instruction("EXIT");

/// Adds a step. A load gets the next line of 128 bytes.
void add(Function& function, Trace& trace, const Instruction& one, std::uint64_t line = 0) {
  Step step;
  step.instruction = static_cast<std::int32_t>(function.code.size());
  step.lanes = 32;
  step.passes = 1;
  step.first_line = static_cast<std::uint32_t>(trace.lines.size());
  if (one.operation == Operation::LDG) {
    trace.lines.push_back({line, 15, 15});
    step.lines = 1;
  }
  function.code.push_back(one);
  trace.steps.push_back(step);
}

/// Warps that all do the same, as the blocks of one SM.
struct Program {
  Function function;
  Trace trace;

  void add(const Instruction& one, std::uint64_t line = 0) { ::add(function, trace, one, line); }

  Timing time(int blocks, int warps, const Setup& setup, const Misses& misses = missing(0)) const {
    std::vector<BlockTrace> traces;
    std::uint64_t first = 0;
    for (int b = 0; b < blocks; ++b) {
      BlockTrace block;
      for (int w = 0; w < warps; ++w) {
        block.push_back(trace);
        for (Line& it : block.back().lines) it.number += first;
        first += trace.lines.size();
      }
      traces.push_back(block);
    }
    return time_blocks(function, traces, setup, gpu, misses);
  }
};

constexpr Setup alone{1, 200 * 1024, 1};

/// The cycles of a warp that loads these lines one after the other.
double cycles_of_loads(std::initializer_list<std::uint64_t> lines, const Misses& misses) {
  Program program;
  for (const std::uint64_t line : lines) {
    program.add(waits(sets(load)), line);
  }
  program.add(waits(use));
  program.add(end);
  return program.time(1, 1, alone, misses).cycles;
}

/// The cycles per instruction of warps that execute one many times, without those of the begin.
double cycles_per_instruction(const Instruction& one, int passes = 1, int warps = 16) {
  const auto cycles = [&](int count) {
    Program program;
    for (int i = 0; i < count; ++i) {
      program.add(one);
      program.trace.steps.back().passes = static_cast<std::uint16_t>(passes);
    }
    program.add(end);
    return program.time(1, warps, alone).cycles;
  };
  return (cycles(500) - cycles(200)) / 300 / warps;
}

}  // namespace

TEST_CASE("a load takes the latency of where the data is") {
  const auto latency = [](std::initializer_list<std::uint64_t> two, double share) {
    return cycles_of_loads(two, missing(share)) - cycles_of_loads({0}, missing(share));
  };
  CHECK(latency({0, 0}, 0) == Approx(gpu.l1_latency).margin(5));
  CHECK(latency({0, 1}, 0) == Approx(gpu.l2_latency).margin(10));
  CHECK(latency({0, 1}, 1) == Approx(gpu.dram_latency).margin(15));
}

TEST_CASE("loads that do not wait for each other overlap") {
  Program program;
  for (std::uint64_t i = 0; i < 8; ++i) program.add(sets(load), i);
  program.add(waits(use));
  program.add(end);
  const Timing timing = program.time(1, 1, alone);
  CHECK(timing.cycles < cycles_of_loads({0}, missing(0)) + 60);
  // Little's law: what is in flight is the bytes, times the latency, by the time.
  CHECK(timing.traffic.load_bytes == Approx(8 * 128 * gpu.l2_latency).epsilon(0.2));
  CHECK(timing.traffic.l2_sectors == 32);
}

TEST_CASE("many loads take the time of DRAM's throughput") {
  Program program;
  for (std::uint64_t i = 0; i < 16; ++i) program.add(sets(load), i);
  program.add(waits(use));
  program.add(end);
  const Setup all{16, 100 * 1024, gpu.multiprocessors};
  const Timing timing = program.time(320, 4, all, missing(1));
  const double bytes = 320 * 4 * 16 * 128;
  const double bytes_per_cycle = gpu.dram_read / (gpu.gigahertz * 1e9) / gpu.multiprocessors;
  CHECK(timing.traffic.dram_sectors * 32 == Approx(bytes));
  CHECK(timing.cycles > bytes / bytes_per_cycle);
  CHECK(timing.cycles < 1.1 * bytes / bytes_per_cycle + 2000);
}

TEST_CASE("a barrier costs its latency, and more for each warp") {
  const auto cycles = [](int barriers, int warps) {
    Program program;
    program.add(use);
    for (int i = 0; i < barriers; ++i) program.add(instruction("BAR.SYNC.DEFER_BLOCKING 0x0"));
    program.add(end);
    return program.time(1, warps, alone).cycles;
  };
  for (const int warps : {4, 32}) {
    const double each = (cycles(21, warps) - cycles(1, warps)) / 20;
    const double expected = gpu.barrier_latency + gpu.barrier_arrival * warps;
    INFO(warps);
    CHECK(each > 0.8 * expected);
    CHECK(each < 1.3 * expected + 10);
  }
}

TEST_CASE("a warp waits at a barrier for the slowest") {
  Function function;
  Trace slow, fast;
  const Instruction barrier = instruction("BAR.SYNC.DEFER_BLOCKING 0x0");
  add(function, slow, waits(sets(load)), 1);
  add(function, slow, waits(use));
  add(function, slow, barrier);
  add(function, slow, end);
  fast.steps = {slow.steps[2], slow.steps[3]};
  const Timing timing = time_blocks(function, {{slow, fast}}, alone, gpu, missing(0));
  CHECK(timing.states[place_of(Stall::barrier)] > gpu.l2_latency * 0.8);
  CHECK(timing.states[place_of(Stall::long_scoreboard)] > gpu.l2_latency * 0.8);
}

TEST_CASE("bank conflicts double the time of accesses to shared memory") {
  const Instruction one = instruction("LDS R0, [R2]");
  const double once = cycles_per_instruction(one, 1), twice = cycles_per_instruction(one, 2);
  CHECK(once == Approx(1).epsilon(0.15));
  CHECK(twice / once == Approx(2).epsilon(0.1));
}

TEST_CASE("a store leaves a sector in a cycle, and a line with parts of sectors in two") {
  const auto cycles = [](std::uint64_t lines, std::uint8_t sectors, std::uint8_t whole) {
    Program program;
    const Instruction store = instruction("STG.E desc[UR4][R2.64], R0");
    for (int i = 0; i < 200; ++i) {
      program.add(store);
      Step& step = program.trace.steps.back();
      step.lines = static_cast<std::uint16_t>(lines);
      for (std::uint64_t at = 0; at < lines; ++at) {
        program.trace.lines.push_back({at, sectors, whole});
      }
    }
    program.add(end);
    return program.time(1, 4, alone).cycles / 800;
  };
  CHECK(cycles(1, 0b1111, 0b1111) == Approx(4).epsilon(0.2));
  CHECK(cycles(8, 0b0001, 0b0001) == Approx(9.6).epsilon(0.2));  // as many as l1_line allows
  CHECK(cycles(32, 0b0001, 0b0000) == Approx(64).epsilon(0.1));
  CHECK(cycles(4, 0b1111, 0b0000) == Approx(16).epsilon(0.2));
}

TEST_CASE("registers in one bank take turns") {
  const auto cycles = [](const char* text) {
    return 4 * cycles_per_instruction(instruction(text));  // of a sub-partition
  };
  const double apart = cycles("FFMA R0, R1, R2, RZ");
  CHECK(apart == Approx(1).epsilon(0.2));
  CHECK(cycles("FFMA R0, R2, R4, R6") / apart == Approx(3).epsilon(0.2));
  CHECK(cycles("FFMA R0, R2, R4, R5") / apart == Approx(2).epsilon(0.2));
}

TEST_CASE("pipes have their own throughputs") {
  const auto cycles = [](const char* text) {
    return 4 * cycles_per_instruction(instruction(text));
  };
  CHECK(cycles("IADD3 R0, R1, R2, RZ") == Approx(gpu.alu).epsilon(0.15));
  CHECK(cycles("IMAD R0, R1, R2, RZ") == Approx(gpu.fma).epsilon(0.15));
  CHECK(cycles("MUFU.RCP R0, R1") == Approx(gpu.xu).epsilon(0.15));
}

TEST_CASE("a stall count and a scoreboard hold back one warp, and not the others") {
  Instruction slow = use;
  slow.control.stall = 12;
  CHECK(cycles_per_instruction(slow, 1, 1) == Approx(12).epsilon(0.15));
  CHECK(4 * cycles_per_instruction(slow, 1, 16) == Approx(3).epsilon(0.2));
}

TEST_CASE("blocks that find no place run after the others") {
  Program program;
  for (std::uint64_t i = 0; i < 20; ++i) program.add(waits(sets(load)), i);
  program.add(end);
  const Setup two{2, 200 * 1024, 1};
  const Timing one_wave = program.time(2, 4, two), two_waves = program.time(3, 4, two);
  CHECK(two_waves.cycles / one_wave.cycles == Approx(2).epsilon(0.1));
  CHECK(two_waves.ends.size() == 3);
  const Setup four{4, 200 * 1024, 1};
  CHECK(program.time(4, 4, four).cycles / one_wave.cycles == Approx(1).epsilon(0.15));
}

TEST_CASE("what waits is counted, cycle by cycle") {
  Program program;
  program.add(sets(load), 1);
  program.add(waits(use));
  program.add(end);
  const Timing timing = program.time(1, 1, alone);
  CHECK(timing.issued == 3);
  CHECK(timing.states[place_of(Stall::selected)] == 3);
  CHECK(timing.states[place_of(Stall::long_scoreboard)] == Approx(gpu.l2_latency).margin(10));
}
