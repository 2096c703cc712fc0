#include "emulator/observer/trace/tracer.h"

#include <bit>
#include <cstring>
#include <utility>

#include "costs/request_cost.h"
#include "emulator/observer/events/code_address.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

/// Both sectors and a row of banks repeat after this many bytes.
constexpr std::uint32_t period = 128;

bool is_traced(MemorySpace space) {
  return space == MemorySpace::global || space == MemorySpace::shared;
}

}  // namespace

std::uint64_t Tracer::running_block() {
  return blockIdx.x +
         std::uint64_t{gridDim.x} * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
}

void Tracer::launch_begins(const KernelCall&, const LaunchConfiguration&) {
  accesses_before_launch_ += std::exchange(accesses_, 0);
  trace_ = {};
  places_.clear();
  arrays_.clear();
  batches_.clear();
}

void Tracer::block_begins() {
  for (auto& stores : stores_) stores.clear();
  marks_.block_begins();
  copy_costs_ = {};
}

/// Whether a step of the running block has room. If not, the trace becomes a sample; if that is too
/// much as well, it ends: what follows would tell half of a story.
bool Tracer::has_room(unsigned warp, std::uint64_t accesses) {
  while (!trace_.ends_early && is_in_sample(warp)) {
    if (accesses_before_launch_ + accesses_ + accesses <= most_accesses) {
      accesses_ += accesses;
      return true;
    }
    trace_.ends_early = !thin_out();
  }
  return false;
}

bool Tracer::is_in_sample(unsigned warp) const {
  return running_block() % trace_.blocks_every == 0 && warp % trace_.warps_every == 0;
}

/// Leaves out half of the blocks or, of a single block, half of its warps.
/// @return false if only one warp is left
bool Tracer::thin_out() {
  const std::uint64_t blocks = std::uint64_t{gridDim.x} * gridDim.y * gridDim.z;
  const unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  if (blocks > trace_.blocks_every) {
    trace_.blocks_every *= 2;
  } else if (warps > trace_.warps_every) {
    trace_.warps_every *= 2;
  } else {
    return false;
  }
  std::erase_if(trace_.steps, [this](const report::TraceStep& step) {
    return step.block % trace_.blocks_every != 0 || step.warp % trace_.warps_every != 0;
  });
  accesses_ = 0;
  for (const report::TraceStep& step : trace_.steps) {
    accesses_ += step.is_barrier ? 1 : step.lanes.size();
  }
  return true;
}

void Tracer::barrier_opens() {
  if (!has_room(0, 1)) return;
  const Site site = Scheduler::instance().barrier_site();
  report::TraceStep step;
  step.is_barrier = true;
  step.block = running_block();
  step.place = place_at({0, site.file, site.line});
  trace_.steps.push_back(std::move(step));
}

void Tracer::take(const WarpAccess& access) {
  if (!is_traced(access.space()) || !has_room(access.warp, access.count)) return;
  if (const auto copy = copies_.kind_of_copy(access.code)) return take_copy(access, *copy);
  trace_.steps.push_back(step_of(access));
  const Cost cost = cost_of(access);
  report::TraceStep& step = trace_.steps.back();
  step.sectors = cost.sectors;
  step.wavefronts = cost.wavefronts;
  step.ideal_wavefronts = cost.ideal_wavefronts;
}

Tracer::Cost Tracer::cost_of(const WarpAccess& access) const {
  const AccessKind kind = kind_of(access.code);
  if (access.space() == MemorySpace::global) return {costs::sectors_of(access, kind), 0, 0};
  const costs::WavefrontCost cost =
      costs::shared_cost_of(access, kind, access.bytes(), increments_.has(access.code));
  return {0, cost.wavefronts, cost.ideal};
}

report::TraceStep Tracer::step_of(const WarpAccess& access) {
  report::TraceStep step;
  step.block = running_block();
  step.place = place_of_code(link_time_address(place_of(access.code)));
  step.warp = access.warp;
  step.kind = kind_of(access.code);
  step.bytes = access.bytes();
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    step.lanes.push_back(lane_access(access, lane, access.address(i)));
  }
  return step;
}

report::LaneAccess Tracer::lane_access(const WarpAccess& access, unsigned lane,
                                       std::uint32_t address) {
  report::LaneAccess result;
  result.lane = lane;
  const MemoryNames::Array array = names_.array_at(address);
  result.array = number_of(array);
  result.offset = address - array.begin;
  auto& stores = stores_[access.warp * 32 + lane];
  if (kind_of(access.code) == AccessKind::load || stores.empty()) return result;
  const Store store = stores.front();
  if (store.event != make_event(access.code, address)) return result;
  stores.pop_front();
  result.has_value = true;
  result.value[0] = store.value[0];
  result.value[1] = store.value[1];
  if (store.batch == 0) return result;
  result.batch = number_of_batch(store.batch);
  if (!store.has_source) return result;
  const MemoryNames::Array source = names_.array_at(store.from);
  result.has_source = true;
  result.from_array = number_of(source);
  result.from_offset = store.from - source.begin;
  return result;
}

void Tracer::add_to(report::LaunchReport& report) { report.trace = std::move(trace_); }

bool Tracer::before_store(Event event, unsigned thread, const void* memory) {
  is_pending_ = !trace_.ends_early && is_in_sample(thread / 32);
  pending_ = {event, {}};
  pending_thread_ = thread;
  pending_memory_ = memory;
  return is_pending_;
}

void Tracer::copy_stores(Event event, unsigned thread) {
  if (trace_.ends_early || !is_in_sample(thread / 32)) return;
  // The store happens later. What the copy reads is what it will write, followed by zeros.
  Store store{event, {}};
  const auto from = reinterpret_cast<std::uintptr_t>(copies_.from());
  if (memory_.compress(from, copies_.source_bytes())) {
    std::memcpy(store.value.data(), copies_.from(), copies_.source_bytes());
  }
  stores_[thread].push_back(store);
}

void Tracer::copy_issued(std::uint32_t, std::uint32_t read_batch) {
  if (!is_tracing_ || trace_.ends_early || !is_in_sample(running_thread() / 32)) return;
  const CopyPlace& place = copies_.place();
  auto& stores = stores_[running_thread()];
  if (stores.empty()) return;
  stores.back().batch = read_batch;
  stores.back().from = place.from;
  stores.back().has_source = place.source_bytes > 0;
}

void Tracer::after_store() {
  if (!is_pending_) return;
  is_pending_ = false;
  std::memcpy(pending_.value.data(), pending_memory_, bytes_of(code_of(pending_.event)));
  stores_[pending_thread_].push_back(pending_);
}

std::uint32_t Tracer::number_of_batch(std::uint32_t batch) {
  return batches_.try_emplace(batch, static_cast<std::uint32_t>(batches_.size())).first->second;
}

std::uint32_t Tracer::place_of_code(std::uint64_t code) {
  const auto [at, is_new] =
      places_.try_emplace(code, static_cast<std::uint32_t>(trace_.places.size()));
  if (is_new) trace_.places.push_back({code, "", 0});
  return at->second;
}

/// A place whose line is known. There are as few of them as barriers in the source.
std::uint32_t Tracer::place_at(const report::SourcePlace& place) {
  for (std::size_t i = 0; i < trace_.places.size(); ++i) {
    const report::SourcePlace& known = trace_.places[i];
    if (known.code == 0 && known.line == place.line && known.file == place.file) {
      return static_cast<std::uint32_t>(i);
    }
  }
  trace_.places.push_back(place);
  return static_cast<std::uint32_t>(trace_.places.size() - 1);
}

std::uint32_t Tracer::number_of(const MemoryNames::Array& array) {
  const auto [at, is_new] =
      arrays_.try_emplace(array.begin, static_cast<std::uint32_t>(trace_.arrays.size()));
  if (is_new) {
    trace_.arrays.push_back({array.space, array.name, array.begin % period, array.bytes});
  }
  return at->second;
}

}  // namespace tilelab::emulator
