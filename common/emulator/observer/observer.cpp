#include "emulator/observer/observer.h"

#include <algorithm>
#include <new>

#include "emulator/observer/code_address.h"
#include "emulator/observer/hooks/hot_state.h"
#include "emulator/observer/memory/host_memory.h"
#include "emulator/observer/memory/reserved_memory.h"
#include "emulator/observer/memory/shared_variables.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/observer/observer_impl.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/order.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/faults/fault.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

/// Compressed addresses have room for so much device memory.
constexpr std::size_t largest_arena = std::size_t{2} << 30;

/// What the hooks write while nobody is interested.
Event unused_accesses[1024];
Event unused_blocks[1024];

[[maybe_unused]] const Observer& listens_from_the_beginning = Observer::instance();

}  // namespace

constinit HotState hot{.cursor = unused_accesses,
                       .end = unused_accesses + std::size(unused_accesses),
                       .block_cursor = unused_blocks,
                       .block_end = unused_blocks + std::size(unused_blocks),
                       .shared_begin = 0,
                       .shared_bytes = 0,
                       .arena_begin = 0,
                       .arena_bytes = 0,
                       .shared_addressable = nullptr,
                       .arena_addressable = nullptr,
                       .builtin_begin = 0,
                       .builtin_bytes = 0,
                       .arguments_begin = 0,
                       .arguments_bytes = 0,
                       .watches_stores = false};

Observer& Observer::instance() {
  // Never destroyed: global destructors of the submission may still launch kernels.
  static Observer* const observer = new Observer;
  return *observer;
}

Observer::Observer()
    : races_([this](const RaceDetector::Hit& hit) { report_hit(hit); }),
      merge_(*this),
      addressable_(static_cast<std::uint8_t*>(reserve_memory(largest_arena / 8))) {
  hot.arena_addressable = addressable_;
  DeviceMemory& memory = DeviceMemory::instance();
  memory.limit_capacity(largest_arena);
  memory.for_each_block(
      [this](const void* begin, std::size_t bytes) { memory_allocated(begin, bytes); });
  listener = this;
}

// --- What the host asks for ----------------------------------------------------------------------

void Observer::start(const ObserverOptions& options, const void* stack_limit) {
  HostMemory::instance().begin(stack_limit);
  options_ = options;
  is_observing_ = true;
  report_ = {};
  allocations_.clear();
  findings_.take();
}

report::Report Observer::take_report() {
  is_observing_ = false;
  report_.live_allocations = allocations_.size();
  for (const auto& [begin, bytes] : allocations_) {
    if (sticky_error() != cudaSuccess) break;  // after which cudaFree() frees nothing
    report::Finding leak{};
    leak.kind = report::FindingKind::leak;
    leak.memory.bytes = static_cast<unsigned>(std::min<std::size_t>(bytes, ~0u));
    findings_.add(leak);
  }
  report_.findings = findings_.take();
  return std::move(report_);
}

// --- Launches ------------------------------------------------------------------------------------

void Observer::launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  kernel_ = &kernel;
  dynamic_shared_bytes_ = configuration.dynamic_shared_bytes;
  runs_kernel_ = true;
  launch_ = {};
  launch_.kernel = kernel.name;
  launch_.grid = configuration.grid;
  launch_.block = configuration.block;
  launch_.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  launch_.blocks =
      std::uint64_t{configuration.grid.x} * configuration.grid.y * configuration.grid.z;
  choose_blocks();
  traffic_.clear();
  findings_outside_ = findings_.take();
  races_.launch_begins();

  const auto shared = static_shared_memory();
  hot.shared_begin = reinterpret_cast<std::uintptr_t>(shared.data());
  hot.shared_bytes = shared.size();
  hot.shared_addressable = SharedVariables::instance().addressable();
  const Range builtins = builtin_variables();
  hot.builtin_begin = builtins.begin;
  hot.builtin_bytes = builtins.end - builtins.begin;
  hot.arguments_begin = reinterpret_cast<std::uintptr_t>(kernel.arguments_begin);
  hot.arguments_bytes =
      reinterpret_cast<std::uintptr_t>(kernel.arguments_end) - hot.arguments_begin;
  hot.arena_begin = DeviceMemory::instance().base();
  hot.arena_bytes = DeviceMemory::instance().capacity();
  hot.watches_stores = is_observing_ && options_.detail == Detail::everything;
}

void Observer::choose_blocks() {
  chosen_blocks_.clear();
  const std::uint64_t limit = options_.block_limit;
  if (limit == 0 || launch_.blocks <= limit) return;
  chosen_blocks_ = {0};
  if (limit > 1) chosen_blocks_.push_back(launch_.blocks - 1);
  Random random(options_.seed);
  while (chosen_blocks_.size() < limit) {
    const std::uint64_t block = random.below(launch_.blocks);
    if (std::find(chosen_blocks_.begin(), chosen_blocks_.end(), block) == chosen_blocks_.end()) {
      chosen_blocks_.push_back(block);
    }
  }
  std::sort(chosen_blocks_.begin(), chosen_blocks_.end());
}

void Observer::launch_ends() {
  races_.after_store();
  if (sticky_error() != cudaSuccess) abandon_block();
  write_nothing_down();
  hot.shared_bytes = 0;
  hot.arena_bytes = 0;
  hot.builtin_bytes = 0;
  hot.arguments_bytes = 0;
  hot.watches_stores = false;
  runs_kernel_ = false;
  if (sticky_error() != cudaSuccess && !explained_fault_) report_fault();
  explained_fault_ = false;
  fault_kind_ = report::FindingKind::fault;

  std::vector<report::Finding> findings = findings_.take();
  for (report::Finding& finding : findings_outside_) findings_.add(std::move(finding));
  if (!is_observing_) return;
  launch_.static_shared_bytes = traffic_.static_shared_bytes();
  launch_.totals = traffic_.totals();
  launch_.lines = traffic_.lines();
  launch_.distinct_global_bytes_loaded = traffic_.distinct_bytes_loaded();
  launch_.distinct_global_bytes_stored = traffic_.distinct_bytes_stored();
  launch_.findings = std::move(findings);
  report_.launches.push_back(std::move(launch_));
}

void Observer::launch_refused(const KernelCall& kernel, const LaunchConfiguration&,
                              cudaError_t error) {
  report::Finding finding{};
  finding.kind = report::FindingKind::failed_launch;
  finding.kernel = kernel.name;
  finding.sentence = std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
  findings_.add(std::move(finding));
}

// --- Blocks and threads --------------------------------------------------------------------------

void Observer::block_begins() {
  const std::uint64_t block =
      blockIdx.x + std::uint64_t{gridDim.x} * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
  is_tracing_ =
      is_observing_ && (chosen_blocks_.empty() ||
                        std::binary_search(chosen_blocks_.begin(), chosen_blocks_.end(), block));
  loaded_.reset();
  write_nothing_down();
  if (!is_tracing_) return;
  ++launch_.observed_blocks;
  if (hot.watches_stores) races_.block_begins(blockIdx);
  marks_.clear();
  const unsigned thread_count = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned warp = 0; warp * 32 < thread_count; ++warp) {
    const unsigned rest = thread_count - warp * 32;
    warps_[warp] = {.busy = rest >= 32 ? ~0u : (1u << rest) - 1};
  }
  for (unsigned rank = 0; rank < thread_count; ++rank) {
    lanes_[rank].position = {};
    lanes_[rank].is_open = false;
  }
}

void Observer::block_ends() {
  if (!is_tracing_) return;
  drain_all();
  write_nothing_down();
}

void Observer::write_nothing_down() {
  hot.cursor = unused_accesses;
  hot.end = unused_accesses + std::size(unused_accesses);
  hot.block_cursor = unused_blocks;
  hot.block_end = unused_blocks + std::size(unused_blocks);
}

/// After a fault: what the threads did until then counts.
void Observer::abandon_block() {
  if (!is_tracing_) return;
  save();
  drain_all();
  for (LaneLog& log : lanes_) {
    if (log.storage != nullptr) pool_.give_back(log.storage);
    log.storage = nullptr;
  }
}

void Observer::save() {
  if (!loaded_) return;
  races_.after_store();
  LaneLog& log = lanes_[*loaded_];
  log.cursor = hot.cursor;
  log.block_cursor = hot.block_cursor;
  loaded_.reset();
}

void Observer::load(unsigned rank) {
  LaneLog& log = lanes_[rank];
  if (log.storage == nullptr) {
    log.storage = pool_.take();
    log.clear();
  }
  hot.cursor = log.cursor;
  hot.end = log.storage->accesses + LogStorage::accesses_capacity;
  hot.block_cursor = log.block_cursor;
  hot.block_end = log.storage->blocks + LogStorage::blocks_capacity;
  loaded_ = rank;
}

void Observer::thread_runs(unsigned rank) {
  if (!is_tracing_) return;
  save();
  load(rank);
}

void Observer::thread_waits(unsigned rank, WaitsFor what) {
  if (!is_tracing_) return;
  save();
  last_to_wait_ = rank;
  WarpState& warp = warps_[rank / 32];
  if (what == WaitsFor::warp) warp.at_warp |= 1u << rank % 32;
  lane_rests(rank);
}

void Observer::thread_ends(unsigned rank) {
  if (!is_tracing_) return;
  save();
  lane_rests(rank);
}

/// When no lane of a warp can go on, its full logs are emptied. When all wait at the barrier or
/// have ended, nothing more comes before the barrier.
void Observer::lane_rests(unsigned rank) {
  const unsigned number = rank / 32;
  WarpState& warp = warps_[number];
  warp.busy &= ~(1u << rank % 32);
  if (warp.busy != 0 || (warp.paused == 0 && warp.at_warp != 0)) return;
  drain(number);
  for (std::uint32_t rest = warp.paused; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    LaneLog& log = lanes_[number * 32 + lane];
    if (log.is_full()) continue;
    log.is_open = false;
    warp.paused &= ~(1u << lane);
    warp.busy |= 1u << lane;
    Scheduler::instance().resume(number * 32 + lane);
  }
}

void Observer::log_is_full() {
  if (!is_tracing_ || !loaded_) return write_nothing_down();
  const unsigned rank = *loaded_;
  lanes_[rank].is_open = true;
  warps_[rank / 32].paused |= 1u << rank % 32;
  Scheduler::instance().pause();
  if (loaded_ != rank) {
    save();
    load(rank);
  }
}

void Observer::drain(unsigned warp) {
  draining_warp_ = warp;
  WarpMerge::Lanes lanes{};
  bool has_any = false;
  for (unsigned lane = 0; lane < 32; ++lane) {
    LaneLog& log = lanes_[warp * 32 + lane];
    if (log.storage == nullptr) continue;
    lanes[lane] = &log;
    has_any = true;
  }
  if (!has_any) return;
  merge_.drain(lanes, [this](std::uint32_t id) { return marks_[id].lanes; });
  for (LaneLog* log : lanes) {
    if (log == nullptr || log->access_count() > 0 || log->block_count() > 0 || log->is_open) {
      continue;
    }
    pool_.give_back(log->storage);
    log->storage = nullptr;
  }
}

void Observer::drain_all() {
  const unsigned thread_count = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned rank = 0; rank < thread_count; ++rank) lanes_[rank].is_open = false;
  for (unsigned warp = 0; warp * 32 < thread_count; ++warp) drain(warp);
}

void Observer::barrier_opens() {
  if (!is_tracing_) return;
  save();
  drain_all();
  if (hot.watches_stores) races_.barrier();
  marks_.clear();
  const unsigned thread_count = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned warp = 0; warp * 32 < thread_count; ++warp) {
    warps_[warp].busy = Scheduler::instance().living_lanes(warp);
  }
  // Every thread is at the same place: that the rounds before may have differed has no meaning now.
  for (unsigned rank = 0; rank < thread_count; ++rank) lanes_[rank].position.rounds.clear();
  load(last_to_wait_);
}

void Observer::warp_operation_begins() {
  if (hot.cursor >= hot.end) log_is_full();
}

void Observer::warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) {
  if (!is_tracing_) return;
  Mark mark{lanes, 0};
  if (operation == WarpOperation::sync && hot.watches_stores) mark.sync = races_.sync(warp, lanes);
  const auto id = static_cast<std::uint32_t>(marks_.size());
  marks_.push_back(mark);
  save();
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    LaneLog& log = lanes_[warp * 32 + static_cast<unsigned>(std::countr_zero(rest))];
    if (log.storage == nullptr) {
      log.storage = pool_.take();
      log.clear();
    }
    *log.cursor++ = make_event(mark_kind << kind_shift, id);
  }
  warps_[warp].at_warp &= ~lanes;
  warps_[warp].busy |= lanes;
  if (last_to_wait_ / 32 == warp && (lanes >> last_to_wait_ % 32 & 1) != 0) load(last_to_wait_);
}

// --- What a warp did -----------------------------------------------------------------------------

void Observer::take(const WarpAccess& access) {
  const MemorySpace space = space_of(access.address(0));
  bool is_one_space = true;
  if (!access.is_regular) {
    for (unsigned i = 1; i < access.count; ++i) {
      is_one_space = is_one_space && space_of(access.addresses[i]) == space;
    }
  }
  if (is_one_space) return take_in_one_space(access);
  for (const MemorySpace wanted :
       {MemorySpace::global, MemorySpace::shared, MemorySpace::constant, MemorySpace::local}) {
    WarpAccess part = access;
    part.lanes = 0;
    part.count = 0;
    std::uint32_t lanes = access.lanes;
    for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
      if (space_of(access.addresses[i]) != wanted) continue;
      part.lanes |= lanes & -lanes;
      part.addresses[part.count++] = access.addresses[i];
    }
    if (part.count > 0) take_in_one_space(part);
  }
}

void Observer::take_in_one_space(const WarpAccess& access) {
  traffic_.add(access);
  if (hot.watches_stores) races_.take(access, draining_warp_);
}

void Observer::take_mark(std::uint32_t id, std::uint32_t lanes) {
  if (marks_[id].sync != 0) races_.take_sync(draining_warp_, lanes, marks_[id].sync);
}

void Observer::before_store(Event event) {
  if (is_tracing_) return races_.before_store(event, *loaded_, memory_at(address_of(event)));
  const std::uint32_t address = address_of(event);
  if (address < space_base::shared) races_.mark_written(address, bytes_of(code_of(event)));
}

void Observer::fence() {
  if (is_tracing_) races_.fence();
}

void Observer::append(Event event) {
  if (kind_of(code_of(event)) != AccessKind::load && hot.watches_stores &&
      space_of(address_of(event)) != MemorySpace::local) {
    before_store(event);
  }
  *hot.cursor++ = event;
  if (hot.cursor >= hot.end) log_is_full();
}

void log_is_full() { Observer::instance().log_is_full(); }

void fence() { Observer::instance().fence(); }

void before_store(Event event) { Observer::instance().before_store(event); }

// --- The interface -------------------------------------------------------------------------------

void start_observing(const ObserverOptions& options) {
  // Where the caller's stack ends: what it calls next begins there.
  Observer::instance().start(options, __builtin_dwarf_cfa());
}

report::Report take_report() { return Observer::instance().take_report(); }

void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements) {
  Observer::instance().name(pointer, name, element_bytes, elements);
}

}  // namespace tilelab::emulator
