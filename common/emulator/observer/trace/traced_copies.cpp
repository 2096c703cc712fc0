// Asynchronous copies in a trace: a step that starts them, and marks where their batches are closed
// and have been waited for.

#include <bit>
#include <utility>

#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/trace/tracer.h"

namespace tilelab::emulator {

using report::CopyStep;
using report::LaneAccess;
using report::TraceStep;

/// A copy is a load and a store in the logs. Their step comes with the store, which all copies
/// have.
void Tracer::take_copy(const WarpAccess& access, CopyKind kind) {
  Cost& cost = copy_costs_[access.warp];
  const Cost more = cost_of(access);
  cost.sectors += more.sectors;
  cost.wavefronts += more.wavefronts;
  cost.ideal_wavefronts += more.ideal_wavefronts;
  if (kind_of(access.code) == AccessKind::load) return;
  TraceStep step = step_of(access);
  const Cost all = std::exchange(cost, {});
  step.sectors = all.sectors;
  if (kind == CopyKind::of_thread) {
    step.copy = CopyStep::start;
    step.wavefronts = all.wavefronts;
    step.ideal_wavefronts = all.ideal_wavefronts;
  } else {
    // No thread's request goes through the banks.
    step.copy = CopyStep::bulk;
    if (extend_bulk_copy(step)) return;
  }
  trace_.steps.push_back(std::move(step));
}

/// Adds a chunk to the copy that it goes on with.
bool Tracer::extend_bulk_copy(const TraceStep& chunk) {
  if (trace_.steps.empty() || chunk.lanes.size() != 1) return false;
  TraceStep& copy = trace_.steps.back();
  if (copy.copy != CopyStep::bulk || copy.block != chunk.block || copy.warp != chunk.warp) {
    return false;
  }
  const LaneAccess& last = copy.lanes.back();
  const LaneAccess& next = chunk.lanes.front();
  const bool goes_on = last.lane == next.lane && last.batch == next.batch &&
                       last.array == next.array && last.offset + copy.bytes == next.offset &&
                       last.from_array == next.from_array &&
                       last.from_offset + copy.bytes == next.from_offset;
  if (!goes_on) return false;
  const report::TracedArray& array = trace_.arrays[next.array];
  const bool writes_global = array.space == MemorySpace::global;
  const std::uint64_t at = writes_global ? array.begin + next.offset
                                         : trace_.arrays[next.from_array].begin + next.from_offset;
  constexpr std::uint64_t sector = 32;
  if (at % sector == 0) copy.sectors += chunk.sectors;
  copy.lanes.push_back(next);
  return true;
}

void Tracer::copies_committed(std::uint32_t batch, Site site) {
  mark(CopyStep::commit, batch, site);
}

void Tracer::copies_waited_for(std::uint32_t batch, Site site) {
  mark(CopyStep::wait, batch, site);
}

void Tracer::barrier_passed(const void*, std::uint64_t, std::uint32_t batch, Site site) {
  if (batch != 0) mark(CopyStep::wait, batch, site);
}

void Tracer::mark(CopyStep what, std::uint32_t batch, Site site) {
  if (!is_tracing_ || trace_.ends_early || !is_in_sample(running_thread() / 32)) return;
  make_room();
  append(make_event(make_copy_mark(marks_.put(running_thread(), {what, site}, batch)), 0));
}

void Tracer::take_copy_mark(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  const CopyMarks::Mark& mark = marks_.at(number);
  if (!has_room(warp, static_cast<std::uint64_t>(std::popcount(lanes)))) return;
  TraceStep step;
  step.block = running_block();
  step.warp = warp;
  step.copy = mark.what;
  step.place = place_at({0, mark.site.file, mark.site.line});
  for (; lanes != 0; lanes &= lanes - 1) {
    LaneAccess lane;
    lane.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const auto batch = marks_.take(warp * 32 + lane.lane);
    if (!batch) continue;
    lane.batch = number_of_batch(*batch);
    step.lanes.push_back(lane);
  }
  // A thread that waits for several batches at once passes a mark for each.
  TraceStep* const last = trace_.steps.empty() ? nullptr : &trace_.steps.back();
  if (last != nullptr && last->copy == step.copy && last->block == step.block &&
      last->warp == step.warp && last->place == step.place) {
    last->lanes.insert(last->lanes.end(), step.lanes.begin(), step.lanes.end());
  } else {
    trace_.steps.push_back(std::move(step));
  }
}

}  // namespace tilelab::emulator
