#include "estimator/estimate/estimate_json.h"

namespace tilelab::estimator {

namespace {

report::JsonObject json_of(const PerStall& stalls) {
  report::JsonObject made;
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    // A warp that issues does not stall.
    if (i != place_of(Stall::selected)) made.add(stall_names[i], stalls[i]);
  }
  return made;
}

}  // namespace

report::JsonObject json_of(const Estimate& estimate) {
  report::JsonObject busy;
  busy.add("issue", estimate.issue_busy)
      .add("l1", estimate.l1_busy)
      .add("l2", estimate.l2_busy)
      .add("atomics", estimate.atomics_busy)
      .add("dram", estimate.dram_busy);
  report::JsonObject made;
  made.add("kernel", estimate.kernel)
      .add("cycles", estimate.cycles)
      .add("instructions", estimate.instructions)
      .add("resident_blocks", estimate.resident_blocks)
      .add("blocks_per_multiprocessor", estimate.blocks_per_multiprocessor)
      .add("simulated_blocks", estimate.simulated_blocks)
      .add("share_simulated", estimate.share_simulated)
      .add("busy", busy)
      .add("stalls", json_of(estimate.stalls))
      .add("dram_bytes", estimate.dram_bytes)
      .add("l2_bytes", estimate.l2_bytes)
      .add("bytes_in_flight", estimate.bytes_in_flight)
      .add("unknown_branches", estimate.unknown_branches)
      .add("unlike", estimate.unlike);
  return made;
}

}  // namespace tilelab::estimator
