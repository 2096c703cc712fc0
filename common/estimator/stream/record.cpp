#include "estimator/stream/record.h"

namespace tilelab::estimator {

namespace {

schema::Map<double> record_of(const PerStall& stalls) {
  schema::Map<double> made;
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    // A warp that issues does not stall.
    if (i != place_of(Stall::selected)) made.emplace_back(stall_names[i], stalls[i]);
  }
  return made;
}

std::vector<schema::Waited> record_of(const std::vector<Waited>& waited) {
  std::vector<schema::Waited> made;
  for (const Waited& it : waited) made.push_back({it.instruction, it.waits, it.atomics});
  return made;
}

}  // namespace

schema::Estimate record_of(const Estimate& estimate) {
  return {
      .kernel = estimate.kernel,
      .cycles = estimate.cycles,
      .instructions = estimate.instructions,
      .resident_blocks = estimate.resident_blocks,
      .blocks_per_multiprocessor = estimate.blocks_per_multiprocessor,
      .share_simulated = estimate.share_simulated,
      .busy = {{"issue", estimate.issue_busy},
               {"l1", estimate.l1_busy},
               {"l2", estimate.l2_busy},
               {"atomics", estimate.atomics_busy},
               {"dram", estimate.dram_busy}},
      .stalls = record_of(estimate.stalls),
      .dram_bytes = estimate.dram_bytes,
      .l2_bytes = estimate.l2_bytes,
      .bytes_in_flight = estimate.bytes_in_flight,
      .unknown_branches = estimate.unknown_branches,
      .unlike = estimate.unlike,
      .spread = estimate.spread,
      .waited = record_of(estimate.waited),
      .blocks = estimate.blocks,
  };
}

}  // namespace tilelab::estimator
