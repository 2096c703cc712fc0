#include "emulator/observer/dispatcher.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "contract/host_reads.h"
#include "emulator/observer/events/code_address.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/memory/host_memory.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/link_time_address.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_reads.h"

namespace tilelab::emulator {
namespace {

[[maybe_unused]] const Dispatcher& listens_from_the_beginning = Dispatcher::instance();

report::LaunchReport report_on(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  const dim3& grid = configuration.grid;
  report::LaunchReport launch;
  launch.kernel = kernel.name;
  if (kernel.function != nullptr) launch.function = link_time_address(kernel.function);
  launch.grid = grid;
  launch.block = configuration.block;
  launch.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  launch.blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  return launch;
}

/// The compressed address of a variable, which may be a `__constant__` one.
std::optional<std::uint32_t> compress_any_variable(std::uintptr_t address, std::size_t bytes) {
  const Range constants = constant_variables();
  if (constants.contains(address, bytes)) {
    return space_base::constant + static_cast<std::uint32_t>(address - constants.begin);
  }
  return compress_variable(address, bytes);
}

/// The compressed address of device memory or of a variable.
std::optional<std::uint32_t> compress_device(std::uintptr_t address, std::size_t bytes) {
  if (DeviceMemory::instance().contains(reinterpret_cast<const void*>(address))) {
    return compress_arena(address);
  }
  return compress_any_variable(address, bytes);
}

std::uintptr_t to_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

Dispatcher& Dispatcher::instance() {
  // Never destroyed: global destructors of the submission may still launch kernels.
  static Dispatcher* const dispatcher = new Dispatcher;
  return *dispatcher;
}

Dispatcher::Dispatcher()
    : inputs_(space_base::shared),
      findings_(names_),
      uninitialized_reads_(findings_),
      races_(findings_),
      clusters_(findings_),
      streams_(findings_),
      tracer_(names_, increments_),
      logs_(*this) {
  DeviceMemory::instance().for_each_block(
      [this](const void* begin, std::size_t bytes) { memory_allocated(begin, bytes); });
  hot.provenance = &provenance_;
  listener = this;
}

// --- What the host asks for ----------------------------------------------------------------------

void Dispatcher::start(const ObserverOptions& options) {
  options_ = options;
  is_observing_ = true;
  checks_ = {&traffic_};
  if (options.detail >= Detail::everything) {
    checks_.push_back(&uninitialized_reads_);
    checks_.push_back(&races_);
    checks_.push_back(&streams_);
  }
  if (options.detail == Detail::trace) {
    tracer_.start();
    checks_.push_back(&tracer_);
  }
  report_ = {};
  merged_ = {};
  allocations_.start();
  names_.start();
  findings_.start();
}

report::Report Dispatcher::take_report() {
  is_observing_ = false;
  call_ends();
  const auto& live = allocations_.live();
  report_.live_allocations = live.size();
  if (sticky_error() == cudaSuccess) {  // after an error, cudaFree() frees nothing
    for (const auto& [begin, bytes] : live) findings_.add_leak(bytes);
  }
  report_.findings = findings_.take();
  return std::move(report_);
}

void Dispatcher::name(const void* pointer, const char* name, std::size_t element_bytes,
                      std::size_t elements) {
  const auto block = DeviceMemory::instance().block_below(pointer);
  if (!block || static_cast<std::size_t>(block->offset) > block->size) return;
  names_.add(pointer, name, element_bytes, elements);
  if (elements == 0) return;
  const std::uintptr_t begin = to_address(pointer);
  kernel_memory_.forbid(begin - static_cast<std::size_t>(block->offset), block->size);
  kernel_memory_.allow(begin, elements * element_bytes);
}

// --- Launches ------------------------------------------------------------------------------------

void Dispatcher::launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  hot.host_thread = this_host_thread();
  launch_ = report_on(kernel, configuration);
  // All blocks of a cluster are traced, or none.
  cluster_ = configuration.cluster;
  const std::uint64_t size = count_of(cluster_);
  streams_.launch_begins(configuration.stream, configuration.grid, configuration.block);
  sample_.choose(launch_.blocks / size, (options_.block_limit + size - 1) / size, options_.seed);
  findings_.launch_begins(kernel);
  copy_ = {};
  increments_ = {};
  kernel_memory_.launch_begins(kernel, configuration);
  hot.watches_stores = is_observing_ && options_.detail >= Detail::everything;
  for (Check* check : checks_) check->launch_begins();
  clusters_.launch_begins(hot.watches_stores && configuration.has_cluster);
}

void Dispatcher::launch_ends() {
  after_store();
  if (sticky_error() != cudaSuccess && is_tracing_) {
    logs_.abandon();
    races_.report_reads();
  }
  for (const PassedBarriers::Passage& one : logs_.launch_ends()) findings_.add_passed_barrier(one);
  discard_events();
  hot.watches_stores = false;
  parked_.clear();
  kernel_memory_.launch_ends();
  hot.host_thread = nullptr;
  traces_block = false;
  launch_.findings = findings_.launch_ends();
  if (!is_observing_) return;
  for (Check* check : checks_) check->launch_ends(launch_);
  if (options_.merges_launches) {
    merged_.add(report_.launches, std::move(launch_));
  } else {
    report_.launches.push_back(std::move(launch_));
  }
}

void Dispatcher::launch_refused(const KernelCall& kernel, const LaunchConfiguration& configuration,
                                cudaError_t error) {
  findings_.add_refused_launch(kernel, configuration.site, error);
}

void Dispatcher::shuffle_is_undefined(Site site, uint3 thread, unsigned lane, unsigned mask) {
  findings_.add_undefined_shuffle(site, thread, lane, mask);
}

void Dispatcher::barrier_diverges(Site site, uint3 thread, Site other_site, uint3 other_thread) {
  findings_.add_divergent_barrier(site, thread, other_site, other_thread);
}

void Dispatcher::threads_deadlock() { findings_.threads_deadlock(); }

// --- Blocks and threads --------------------------------------------------------------------------

/// Whether the running block is traced, or the cluster that it is part of.
bool Dispatcher::is_in_sample() const {
  const dim3 extent(gridDim.x / cluster_.x, gridDim.y / cluster_.y, gridDim.z / cluster_.z);
  const std::uint64_t row =
      blockIdx.y / cluster_.y + std::uint64_t{extent.y} * (blockIdx.z / cluster_.z);
  return sample_.contains(blockIdx.x / cluster_.x + extent.x * row);
}

void Dispatcher::block_begins() {
  is_tracing_ = is_observing_ && is_in_sample();
  traces_block = is_tracing_;
  discard_events();
  if (!is_tracing_) return;
  ++launch_.observed_blocks;
  for (Check* check : checks_) check->block_begins();
  logs_.block_begins();
  if (clusters_.is_active()) {
    clusters_.block_begins();
    races_.begin_async();
    logs_.begin_async();
  }
}

void Dispatcher::block_ends() {
  if (!is_tracing_) return;
  logs_.block_ends();
  if (clusters_.is_active()) clusters_.block_ends();
  races_.report_reads();
}

void Dispatcher::block_parks(std::uint64_t number) {
  if (!is_tracing_) return;
  after_store();
  for (Check* check : checks_) check->block_parks();
  parked_[number] = {logs_.park(), races_.park(), uninitialized_reads_.park()};
}

void Dispatcher::block_unparks(std::uint64_t number) {
  is_tracing_ = traces_block;
  discard_events();
  const auto parked = parked_.find(number);
  if (parked == parked_.end()) return;
  logs_.resume(std::move(parked->second.logs));
  races_.resume(std::move(parked->second.races));
  uninitialized_reads_.resume(parked->second.written);
  for (const auto& [address, bytes] : clusters_.take_foreign_writes()) {
    uninitialized_reads_.shared_memory_written(address, bytes);
  }
  parked_.erase(parked);
}

void Dispatcher::thread_runs(unsigned rank) {
  if (!is_tracing_) return;
  after_store();
  logs_.thread_runs(rank);
}

void Dispatcher::thread_waits(unsigned rank, WaitsFor what) {
  if (!is_tracing_) return;
  after_store();
  logs_.thread_waits(rank, what);
}

void Dispatcher::thread_ends(unsigned rank) {
  if (!is_tracing_) return;
  after_store();
  logs_.thread_ends(rank);
}

void Dispatcher::thread_wakes(unsigned rank) {
  if (is_tracing_) logs_.thread_wakes(rank);
}

void Dispatcher::grid_barrier_opens() {
  for (Check* check : checks_) check->grid_barrier_opens();
}

void Dispatcher::barrier_opens() {
  if (!is_tracing_) return;
  after_store();
  logs_.barrier_opens();
  for (Check* check : checks_) check->barrier_opens();
  if (clusters_.is_active()) clusters_.meet(living_threads());
}

void Dispatcher::barrier_skipped(Site site, unsigned threads, unsigned block_threads) {
  if (is_tracing_) findings_.add_skipped_barrier(site, threads, block_threads);
}

void Dispatcher::warp_operation_begins() {
  if (hot.cursor >= hot.end) log_is_full();
}

void Dispatcher::warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) {
  if (!is_tracing_) return;
  after_store();
  const bool orders_lanes = operation == WarpOperation::sync && hot.watches_stores;
  if (orders_lanes && races_.is_async()) {
    std::vector<unsigned> ranks;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) != 0) ranks.push_back(warp * 32 + lane);
    }
    exchange(ranks);
    return logs_.lanes_meet(warp, lanes, 0);
  }
  logs_.lanes_meet(warp, lanes, orders_lanes ? races_.sync(warp, lanes) : 0);
}

// --- What the hooks tell -------------------------------------------------------------------------

void Dispatcher::before_store(Event event) {
  const std::uint32_t address = address_of(event);
  if (is_tracing_) {
    const void* const memory = memory_at(address);
    const bool is_traced = options_.detail == Detail::trace;
    if (copy_.is_running()) {
      if (is_traced) trace_copy(event);
      return copy_.stores(event);
    }
    if (is_traced) tracer_.before_store(event, logs_.running_thread(), memory);
    if (races_.is_async()) logs_.flush(logs_.running_thread());
    return races_.before_store(event, logs_.running_thread(), memory);
  }
  if (address >= space_base::shared) return;
  uninitialized_reads_.device_memory_written(address, bytes_of(code_of(event)));
}

void Dispatcher::after_store() {
  races_.after_store();
  tracer_.after_store();
}

void Dispatcher::acquire(Event event) {
  if (!is_tracing_) return;
  if (races_.is_async()) logs_.flush(logs_.running_thread());
  if (const std::uint32_t point = races_.acquire(event, logs_.running_thread())) {
    append(make_event(point_mark, point));
  }
}

void Dispatcher::fence(bool is_device_wide) {
  if (!is_tracing_) return;
  after_store();
  make_room();
  append(make_event(point_mark, races_.fence(logs_.running_thread(), is_device_wide)));
}

void log_is_full() { Dispatcher::instance().log_is_full(); }

void before_store(Event event) { Dispatcher::instance().before_store(event); }

void acquire(Event event) { Dispatcher::instance().acquire(event); }

// --- What a warp did -----------------------------------------------------------------------------

/// Atomic operations load too. On outputs they belong to the work, on inputs they would hide loads.
void Dispatcher::count_atomics(const WarpAccess& access) {
  for (unsigned i = 0; i < access.count; ++i) {
    const std::uint32_t address = access.address(i);
    if (address >= space_base::shared || !inputs_.contains(address, access.bytes())) continue;
    report_.atomic_input_bytes += access.bytes();
  }
}

void Dispatcher::take(const WarpAccess& access) {
  if (kind_of(access.code) == AccessKind::atomic) count_atomics(access);
  if (is_in_one_space(access)) {
    for (Check* check : checks_) {
      if (!races_.is_async() || !check->looks_at_threads()) check->take(access);
    }
    return;
  }
  for (const MemorySpace space :
       {MemorySpace::global, MemorySpace::shared, MemorySpace::constant, MemorySpace::local}) {
    const WarpAccess part = part_in(access, space);
    if (part.count == 0) continue;
    for (Check* check : checks_) {
      if (!races_.is_async() || !check->looks_at_threads()) check->take(part);
    }
  }
}

void Dispatcher::take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  races_.take_point(warp, lanes, number);
}

// --- Memory --------------------------------------------------------------------------------------

void Dispatcher::memory_allocated(const void* begin, std::size_t bytes) {
  const std::uintptr_t address = to_address(begin);
  kernel_memory_.allow(address, bytes);
  uninitialized_reads_.device_memory_allocated(compress_arena(address), bytes);
  provenance_.forget(compress_arena(address), bytes);
  inputs_.remove_range(compress_arena(address), bytes);
  allocations_.add(address, bytes, is_observing_);
  if (is_observing_) names_.add_allocation(begin, bytes);
  if (runs_kernel()) races_.forget(compress_arena(address), bytes);
}

void Dispatcher::memory_released(const void* begin, std::size_t bytes) {
  const std::uintptr_t address = to_address(begin);
  kernel_memory_.forbid(address, bytes);
  allocations_.remove(address, bytes);
  names_.forget(address, bytes);
}

void Dispatcher::memory_written(const void* begin, std::size_t bytes) {
  const auto address = compress_device(to_address(begin), bytes);
  if (!address) return;
  if (*address < space_base::shared) uninitialized_reads_.device_memory_written(*address, bytes);
  if (is_calling_) {
    provenance_.host_wrote(*address, bytes);
  } else {
    provenance_.forget(*address, bytes);
  }
}

void Dispatcher::memory_copied(const void* to, const void* from, std::size_t bytes) {
  memory_written(to, bytes);
  const auto target = compress_device(to_address(to), bytes);
  const auto source = compress_device(to_address(from), bytes);
  report_.copied_bytes += bytes;
  if (target && *target >= space_base::constant) report_.constants_hold_copies = true;
  if (target && source && is_calling_) provenance_.copied(*target, *source, bytes);
}

void Dispatcher::device_reset() {
  DeviceMemory::instance().for_each_block(
      [this](const void* begin, std::size_t bytes) { memory_released(begin, bytes); });
  allocations_.reset();
}

void Dispatcher::call_begins(const void* stack_limit) {
  HostMemory::instance().begin(stack_limit);
  is_calling_ = true;
}

void Dispatcher::call_ends() { is_calling_ = false; }

void Dispatcher::host_reads(std::uintptr_t address, std::size_t bytes) {
  if (!is_calling_ || HostMemory::instance().is_on_heap_or_stack(address)) return;
  if (Scheduler::instance().is_on_stack(reinterpret_cast<const void*>(address))) {
    return emulator::host_reads(bytes);
  }
  const auto variable = compress_any_variable(address, bytes);
  if (!variable) return;
  const std::size_t from_device = provenance_.written_by_kernels(*variable, bytes).count +
                                  provenance_.copied_from_inputs(*variable, bytes).count;
  if (from_device > 0) emulator::host_reads(from_device);
}

void Dispatcher::host_writes(std::uintptr_t address, std::size_t bytes) {
  if (const auto variable = compress_any_variable(address, bytes))
    provenance_.forget(*variable, bytes);
}

void Dispatcher::variable_read(const void* begin, std::size_t bytes) {
  host_reads(to_address(begin), bytes);
}

void Dispatcher::note_input(const void* pointer, std::size_t bytes) {
  inputs_.add_range(compress_arena(to_address(pointer)), bytes);
}

void Dispatcher::note_unwritten(const void* pointer, std::size_t bytes) {
  uninitialized_reads_.device_memory_allocated(compress_arena(to_address(pointer)), bytes);
}

/// A few elements may be copies of inputs, such as the first of a row, but not most of an array.
std::string Dispatcher::foreign_work(const void* pointer, const char* name,
                                     std::size_t element_bytes, std::size_t elements) const {
  const std::uint32_t begin = compress_arena(to_address(pointer));
  const std::size_t bytes = element_bytes * elements;
  const auto text = [&](std::size_t byte, const char* what) {
    return std::string(name) + "[" + std::to_string(byte / element_bytes) + "] " + what +
           ". Every element of an output has to be written by a kernel";
  };
  if (const auto by_host = provenance_.written_by_host(begin, bytes); by_host.count > 0) {
    return text(
        by_host.first,
        "was written last by host code, with cudaMemcpy() or cudaMemset(), not by a kernel");
  }
  const auto copied = provenance_.copied_from_inputs(begin, bytes);
  if (copied.count <= std::max(HostReads::allowed_bytes, bytes / 2)) return "";
  return text(copied.first, "and more than half of the array was copied, not computed");
}

bool Dispatcher::may_write_host(const void* begin, std::size_t bytes) {
  if (!is_calling_ || HostMemory::instance().may_write(to_address(begin), bytes)) return true;
  findings_.add_forbidden_copy(bytes);
  return false;
}

void* Dispatcher::allocate_host(std::size_t bytes) {
  return HostMemory::instance().allocate(bytes);
}

bool Dispatcher::release_host(void* pointer) { return HostMemory::instance().release(pointer); }

}  // namespace tilelab::emulator
