#include "emulator/observer/merge/block_logs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "emulator/observer/events/lanes.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

unsigned thread_count() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace

// --- The block -----------------------------------------------------------------------------------

void BlockLogs::block_begins() {
  running_.reset();
  is_in_thread_order_ = false;
  flushed_.fill(0);
  taken_ = {};
  meetings_.clear();
  const unsigned threads = thread_count();
  for (unsigned warp = 0; warp * 32 < threads; ++warp) {
    const unsigned rest = threads - warp * 32;
    warps_[warp] = {.busy = rest >= 32 ? ~0u : (1u << rest) - 1};
  }
  for (unsigned rank = 0; rank < threads; ++rank) {
    lanes_[rank].position = {};
    lanes_[rank].is_open = false;
    lanes_[rank].place = 0;
  }
  last_to_run_ = 0;
}

void BlockLogs::block_ends() {
  drain_all();
  discard_events();
}

void BlockLogs::abandon() {
  save();
  drain_all();
  for (LaneLog& log : lanes_) {
    if (log.storage != nullptr) close(log);
  }
}

Code BlockLogs::last_place() const {
  const LaneLog& log = lanes_[last_to_run_];
  return running_ ? log.last_place(hot.cursor, hot.block_cursor)
                  : log.last_place(log.cursor, log.block_cursor);
}

std::unique_ptr<BlockLogs::Parked> BlockLogs::park() {
  save();
  for (unsigned rank = 0; rank < thread_count(); ++rank) {
    flush(rank);
    take_early(rank);
    show_stores(rank);
    if (lanes_[rank].is_empty()) close(lanes_[rank]);
  }
  discard_events();
  auto block = std::make_unique<Parked>();
  const auto end = lanes_.begin() + thread_count();
  block->lanes.assign(std::make_move_iterator(lanes_.begin()), std::make_move_iterator(end));
  block->warps = warps_;
  block->last_to_wait = last_to_wait_;
  block->taken = taken_;
  block->meetings = std::move(meetings_);
  block->is_in_thread_order = is_in_thread_order_;
  block->flushed = flushed_;
  lanes_.fill({});
  meetings_ = {};
  return block;
}

void BlockLogs::resume(std::unique_ptr<Parked> block) {
  std::move(block->lanes.begin(), block->lanes.end(), lanes_.begin());
  warps_ = block->warps;
  last_to_wait_ = block->last_to_wait;
  taken_ = block->taken;
  meetings_ = std::move(block->meetings);
  is_in_thread_order_ = block->is_in_thread_order;
  flushed_ = block->flushed;
  running_.reset();
}

void BlockLogs::begin_epoch(std::uint32_t epoch) {
  for (unsigned rank = 0; rank < thread_count(); ++rank) {
    LaneLog& log = lanes_[rank];
    if (log.storage == nullptr) {
      sink_.take_epoch(rank / 32, 1u << rank % 32, epoch);
    } else if (!log.is_full()) {
      *log.cursor++ = make_event(epoch_mark, epoch);
    }
  }
}

// --- The threads ---------------------------------------------------------------------------------

void BlockLogs::save() {
  if (!running_) return;
  LaneLog& log = lanes_[*running_];
  log.cursor = hot.cursor;
  log.block_cursor = hot.block_cursor;
  running_.reset();
}

void BlockLogs::load(unsigned rank) {
  LaneLog& log = lanes_[rank];
  open(log);
  hot.cursor = log.cursor;
  hot.end = log.storage->accesses + LogStorage::accesses_capacity;
  hot.block_cursor = log.block_cursor;
  hot.block_end = log.storage->blocks + LogStorage::blocks_capacity;
  running_ = last_to_run_ = rank;
}

void BlockLogs::open(LaneLog& log) {
  if (log.storage != nullptr) return;
  log.storage = pool_.take();
  log.clear();
  flushed_[static_cast<std::size_t>(&log - lanes_.data())] = 0;
}

void BlockLogs::flush(unsigned rank) {
  const LaneLog& log = lanes_[rank];
  if (!is_in_thread_order_ || log.storage == nullptr) return;
  const Event* const end = running_ == rank ? hot.cursor : log.cursor;
  const Event* const begin = log.storage->accesses + flushed_[rank];
  if (begin != end) sink_.take_alone(rank, begin, end);
  flushed_[rank] = static_cast<std::size_t>(end - log.storage->accesses);
}

void BlockLogs::take_early(unsigned rank) {
  const LaneLog& log = lanes_[rank];
  if (is_in_thread_order_ || log.storage == nullptr) return;
  const Event* const end = running_ == rank ? hot.cursor : log.cursor;
  const Event* const begin = log.storage->accesses + flushed_[rank];
  if (begin >= end) return;
  sink_.take_early(rank, begin, end, flushed_[rank] == 0);
  flushed_[rank] = static_cast<std::size_t>(end - log.storage->accesses);
}

std::span<const Event> BlockLogs::log_of_running_thread() const {
  const LaneLog& log = lanes_[running_thread()];
  if (log.storage == nullptr) return {};
  return {static_cast<const Event*>(log.storage->accesses), hot.cursor};
}

void BlockLogs::take_early(unsigned warp, std::uint32_t lanes) {
  for_each_lane(lanes, [&](unsigned lane) { take_early(warp * 32 + lane); });
}

/// Other blocks may read what this one wrote before its logs are put together.
void BlockLogs::show_stores(unsigned rank) {
  const LaneLog& log = lanes_[rank];
  if (is_in_thread_order_ || log.storage == nullptr) return;
  for (const Event* event = log.storage->accesses; event != log.cursor; ++event) {
    const Code code = code_of(*event);
    if (!is_mark(code) && kind_of(code) != AccessKind::load) sink_.show_store(*event);
  }
}

void BlockLogs::close(LaneLog& log) {
  pool_.give_back(log.storage);
  log.storage = nullptr;
}

void BlockLogs::thread_runs(unsigned rank) {
  save();
  load(rank);
}

void BlockLogs::thread_waits(unsigned rank, WaitsFor what) {
  save();
  last_to_wait_ = rank;
  const bool meets_others = what == WaitsFor::warp || what == WaitsFor::tile ||
                            what == WaitsFor::async_barrier || what == WaitsFor::grid ||
                            what == WaitsFor::cluster;
  if (meets_others) warps_[rank / 32].at_warp |= 1u << rank % 32;
  if (what == WaitsFor::barrier) warps_[rank / 32].at_barrier |= 1u << rank % 32;
  lane_rests(rank);
}

void BlockLogs::thread_ends(unsigned rank) {
  save();
  warps_[rank / 32].ended |= 1u << rank % 32;
  lane_rests(rank);
}

void BlockLogs::thread_wakes(unsigned rank) {
  Warp& warp = warps_[rank / 32];
  warp.at_warp &= ~(1u << rank % 32);
  warp.busy |= 1u << rank % 32;
}

/// When no lane of the warp can continue, its full logs are emptied. When all lanes wait at the
/// barrier or have ended, nothing more comes before the barrier.
void BlockLogs::lane_rests(unsigned rank) {
  Warp& warp = warps_[rank / 32];
  warp.busy &= ~(1u << rank % 32);
  if (warp.busy != 0 || (warp.paused == 0 && warp.at_warp != 0)) return;
  look_for_passages(rank / 32);
  drain(rank / 32);
  resume_paused(rank / 32);
}

void BlockLogs::look_for_passages(unsigned number) {
  const Warp& warp = warps_[number];
  if (warp.at_barrier == 0 || warp.ended == 0) return;
  PassedBarriers::Lanes lanes{};
  for_each_lane(warp.at_barrier | warp.ended, [&](unsigned lane) {
    const LaneLog& log = lanes_[number * 32 + lane];
    if (log.storage != nullptr) lanes[lane] = &log;
  });
  passed_barriers_.look(lanes, warp.at_barrier, warp.ended, number * 32,
                        Scheduler::instance().barrier_site(), merge_.control_flow());
}

void BlockLogs::resume_paused(unsigned number) {
  Warp& warp = warps_[number];
  for_each_lane(warp.paused, [&](unsigned lane) {
    LaneLog& log = lanes_[number * 32 + lane];
    if (log.is_full()) return;
    log.is_open = false;
    warp.paused &= ~(1u << lane);
    warp.busy |= 1u << lane;
    Scheduler::instance().resume(number * 32 + lane);
  });
}

void BlockLogs::make_room() {
  if (!running_) return discard_events();
  const unsigned rank = *running_;
  lanes_[rank].is_open = true;
  warps_[rank / 32].paused |= 1u << rank % 32;
  Scheduler::instance().pause();
  if (running_ != rank) thread_runs(rank);
}

// --- Where threads meet --------------------------------------------------------------------------

void BlockLogs::drain(unsigned warp) {
  WarpMerge::Lanes lanes{};
  bool has_any = false;
  for (unsigned lane = 0; lane < 32; ++lane) {
    LaneLog& log = lanes_[warp * 32 + lane];
    if (log.storage == nullptr) continue;
    log.place = log.last_place(log.cursor, log.block_cursor);
    lanes[lane] = &log;
    has_any = true;
  }
  if (!has_any) return;
  if (is_in_thread_order_) {
    for (unsigned lane = 0; lane < 32; ++lane) flush(warp * 32 + lane);
  }
  std::array<std::size_t, 32> counts{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nullptr) continue;
    counts[lane] = lanes[lane]->access_count();
    if (hot.watches_stores) {
      taken_.places.add(lanes[lane]->storage->accesses, lanes[lane]->cursor);
    }
  }
  merge_.drain(warp, lanes, meetings_);
  for (unsigned lane = 0; lane < 32; ++lane) {
    LaneLog* const log = lanes[lane];
    if (log == nullptr) continue;
    const std::size_t drained = counts[lane] - log->access_count();
    taken_.events += drained;
    std::size_t& flushed = flushed_[warp * 32 + lane];
    flushed -= std::min(flushed, drained);
    if (log->is_empty()) close(*log);
  }
}

void BlockLogs::drain_all() {
  const unsigned threads = thread_count();
  for (unsigned rank = 0; rank < threads; ++rank) lanes_[rank].is_open = false;
  for (unsigned warp = 0; warp * 32 < threads; ++warp) drain(warp);
}

void BlockLogs::barrier_opens() {
  save();
  drain_all();
  meetings_.clear();
  const unsigned threads = thread_count();
  for (unsigned warp = 0; warp * 32 < threads; ++warp) {
    warps_[warp].busy = Scheduler::instance().living_lanes(warp);
    warps_[warp].at_barrier = warps_[warp].ended = 0;
  }
  // All threads are at the same place, so the rounds that led them there mean nothing any more.
  for (unsigned rank = 0; rank < threads; ++rank) lanes_[rank].position.rounds.clear();
  load(last_to_wait_);
}

void BlockLogs::lanes_meet(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  const auto id = static_cast<std::uint32_t>(meetings_.size());
  meetings_.push_back({lanes, number});
  save();
  for_each_lane(lanes, [&](unsigned lane) {
    LaneLog& log = lanes_[warp * 32 + lane];
    open(log);
    *log.cursor++ = make_event(meeting_mark, id);
    // The sink has numbered the meeting, so it knows where the lane is.
    if (number != 0 && !is_in_thread_order_) flushed_[warp * 32 + lane] = log.access_count();
  });
  warps_[warp].at_warp &= ~lanes;
  warps_[warp].busy |= lanes;
  if (last_to_wait_ / 32 == warp && (lanes >> last_to_wait_ % 32 & 1) != 0) load(last_to_wait_);
}

}  // namespace tilelab::emulator
