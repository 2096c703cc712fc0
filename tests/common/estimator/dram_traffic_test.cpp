#include "estimator/estimate/dram_traffic.h"

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr std::uint64_t begin = 0x7f0000000000;
constexpr int load = 0, store = 1;

const Gpu gpu;

/// Warps that load or store lines of one array.
struct Launched {
  explicit Launched(std::uint64_t lines)
      : memory({{begin, lines * line_bytes, Contents::fractions}}) {}

  /// Adds a block of one warp, which accesses the same sectors of this many lines.
  void add_block(int access, std::uint64_t first, std::uint64_t lines, std::uint8_t sectors) {
    Trace trace;
    for (std::uint64_t i = 0; i < lines; ++i) {
      Step step;
      step.instruction = access;
      step.lines = 1;
      step.first_line = static_cast<std::uint32_t>(trace.lines.size());
      trace.lines.push_back({begin / line_bytes + first + i, sectors, sectors});
      trace.steps.push_back(step);
    }
    sample.blocks.push_back({trace});
  }

  ArrayMisses misses(std::uint32_t blocks) {
    launch.grid = {blocks, 1, 1};
    launch.block = {32, 1, 1};
    const Work work{function, launch, {}, memory};
    return misses_of(sample, work, {}, gpu).arrays.at(0);
  }

  Function function =
      function_of({"LDG.E R0, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R0", "EXIT"});
  Memory memory;
  Launch launch;
  Sample sample;
};

}  // namespace

TEST_CASE("what each block loads alone comes from DRAM") {
  Launched launched(16);
  launched.add_block(load, 0, 8, 0b1111);
  launched.add_block(load, 8, 8, 0b1111);
  const ArrayMisses found = launched.misses(2);
  CHECK(found.loads.share == 1);
  CHECK(found.loads.density == 1);
}

TEST_CASE("an array that all blocks load comes from DRAM once") {
  Launched launched(16);
  for (int i = 0; i < 4; ++i) launched.add_block(load, 0, 16, 0b1111);
  CHECK(launched.misses(4).loads.share == Approx(0.25));
  CHECK(launched.misses(100).loads.share == Approx(0.01));
}

TEST_CASE("loads of one sector bring two, and stores only theirs") {
  Launched launched(16);
  launched.add_block(load, 0, 16, 0b0001);
  launched.add_block(store, 0, 16, 0b0001);
  const ArrayMisses found = launched.misses(2);
  CHECK(found.loads.density == Approx(0.5));
  CHECK(found.stores.density == Approx(0.25));
  CHECK(found.loads.share == 1);
}

TEST_CASE("what one block leaves out of a region, others may touch") {
  Launched launched(16);
  launched.add_block(store, 0, 16, 0b0001);
  CHECK(launched.misses(1).stores.density == Approx(0.25));
  CHECK(launched.misses(4).stores.density == Approx(1));
}

TEST_CASE("blocks that are too long to be simulated lose what the L2 cache cannot hold") {
  for (const double share : {0.5, 1.0}) {
    const auto bytes = static_cast<std::uint64_t>(gpu.l2_reach * (share < 1 ? 0.9 : 1.1));
    Launched launched(bytes / line_bytes);
    launched.add_block(load, 0, bytes / line_bytes, 0b1111);
    launched.sample.is_cut = true;
    launched.sample.share_kept = 0.5;  // it comes back to the same lines
    CHECK(launched.misses(1).loads.share == Approx(share));
  }
}

TEST_CASE("each block's own line is counted for those that were not sampled, too") {
  Launched own(64), common(64);
  for (std::uint64_t i = 0; i < 4; ++i) {
    own.add_block(store, i, 1, 0b0001);
    common.add_block(store, 0, 1, 0b0001);
  }
  CHECK(own.misses(64).stored_lines == Approx(64));
  CHECK(common.misses(64).stored_lines == Approx(1));
}
