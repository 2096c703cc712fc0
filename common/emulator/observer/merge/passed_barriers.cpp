#include "emulator/observer/merge/passed_barriers.h"

#include <bit>

#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

/// Calls `function(log, lane)` for the lanes of the mask that have a log.
template <class Function>
void for_each(const PassedBarriers::Lanes& lanes, std::uint32_t mask, Function function) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    if (lanes[lane] != nullptr) function(*lanes[lane], lane);
  }
}

/// The first access after the block event and before the next one; null if there is none.
const Event* first_access(const LaneLog& log, const Event* block) {
  const Event* const accesses = log.storage->accesses;
  const std::size_t end =
      block + 1 < log.block_cursor ? log.accesses_before(block[1]) : log.access_count();
  for (std::size_t i = log.accesses_before(*block); i < end; ++i) {
    if (!is_mark(code_of(accesses[i]))) return accesses + i;
  }
  return nullptr;
}

}  // namespace

void PassedBarriers::look(const Lanes& lanes, std::uint32_t waiting, std::uint32_t ended,
                          unsigned first_rank, Site barrier, ControlFlow& control_flow) {
  // Where the waiting lanes have been as well, nobody has passed the barrier yet.
  std::set<BlockId> before;
  BlockId waits = 0;
  for_each(lanes, waiting, [&](const LaneLog& log, unsigned) {
    waits = log.position.block;
    for (const Event* block = log.storage->blocks; block != log.block_cursor; ++block) {
      waits = control_flow.id_of(code_of(*block));
      before.insert(waits);
    }
  });
  for_each(lanes, ended, [&](const LaneLog& log, unsigned lane) {
    for (const Event* block = log.storage->blocks; block != log.block_cursor; ++block) {
      const BlockId id = control_flow.id_of(code_of(*block));
      const Event* const access = first_access(log, block);
      if (before.contains(id) || !known_.insert({waits, id}).second) continue;
      const Code code =
          access != nullptr ? code_of(*access) : make_code(code_of(*block), AccessKind::load, 0);
      candidates_.push_back(
          {barrier, blockIdx, first_rank + lane, code, waits, id, access != nullptr});
    }
  });
}

void PassedBarriers::launch_ends(const ControlFlow& control_flow, FindingLog& findings) {
  std::set<BlockId> reported;
  for (const Passage& one : candidates_) {
    // All paths lead to the end of the kernel. A thread that did nothing but end has not passed.
    const bool does_something = one.accesses_memory || !control_flow.is_end(one.passes);
    if (!does_something || !control_flow.always_leads_to(one.waits, one.passes)) continue;
    if (!reported.insert(one.waits).second) continue;
    const uint3 thread = Scheduler::instance().thread_index(one.thread);
    // The sentence makes it one finding per barrier.
    findings.add(report::FindingKind::passed_barrier, {},
                 {side_of(one.code, one.block, thread), side_at(one.barrier, one.block, thread)},
                 std::to_string(one.barrier.line));
  }
  candidates_.clear();
  known_.clear();
}

}  // namespace tilelab::emulator
