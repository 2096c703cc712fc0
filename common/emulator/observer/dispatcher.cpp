#include "emulator/observer/dispatcher.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "emulator/observer/events/code_address.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/findings/index3.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/link_time_address.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

[[maybe_unused]] const Dispatcher& listens_from_the_beginning = Dispatcher::instance();

report::LaunchReport report_on(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  const dim3& grid = configuration.grid;
  report::LaunchReport launch;
  launch.kernel = kernel.name;
  if (kernel.function != nullptr) launch.function = link_time_address(kernel.function);
  launch.grid = index3(grid);
  launch.block = index3(configuration.block);
  launch.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  launch.blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  return launch;
}

template <class Condition>
std::vector<Analysis*> those(std::span<Analysis* const> analyses, Condition condition) {
  std::vector<Analysis*> found;
  std::copy_if(analyses.begin(), analyses.end(), std::back_inserter(found), condition);
  return found;
}

}  // namespace

Dispatcher& Dispatcher::instance() {
  // Never destroyed: global destructors of the submission may still launch kernels.
  static Dispatcher* const dispatcher = new Dispatcher;
  return *dispatcher;
}

Dispatcher::Dispatcher() : logs_(*this) {
  hot.provenance = &analyses_.provenance;
  host_keeper = &analyses_.host_access;
  progress_listener = this;
  listeners = listeners_;
  DeviceMemory::instance().for_each_block([](const void* begin, std::size_t bytes) {
    tell(&Listener::memory_allocated, begin, bytes);
  });
}

// --- What the host asks for ----------------------------------------------------------------------

void Dispatcher::start(const ObserverOptions& options) {
  const bool is_same = options.seed == options_.seed && options.detail == options_.detail;
  unlike_numbers_before_ = is_same ? std::move(unlike_numbers_) : decltype(unlike_numbers_)();
  unlike_numbers_.clear();
  options_ = options;
  is_observing_ = true;
  active_ = those(analyses_.all, [&](Analysis* one) {
    return one->needs() <= options.detail && (options.remarks || !one->is_remark());
  });
  of_warps_ = those(active_, [](Analysis* one) { return one->wants().accesses; });
  of_warps_in_thread_order_ =
      those(of_warps_, [](Analysis* one) { return !one->wants().thread_order; });
  of_threads_ = those(active_, [](Analysis* one) { return one->wants().thread_order; });
  of_stores_ = those(active_, [](Analysis* one) { return one->wants().stores; });
  of_untraced_stores_ = those(active_, [](Analysis* one) { return one->wants().untraced_stores; });
  report_ = {};
  merged_ = MergedLaunches();
  analyses_.findings.start(options.journal);
  for (Analysis* one : analyses_.all) one->observation_begins(options);
}

report::Report Dispatcher::take_report() {
  if (is_observing_ && hot.host_thread != nullptr) cut_off_launch();
  is_observing_ = false;
  tell(&Listener::call_ends);
  for (Analysis* one : analyses_.all) one->add_to(report_);
  report_.findings = analyses_.findings.take();
  return std::move(report_);
}

// --- Launches ------------------------------------------------------------------------------------

void Dispatcher::launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  // As long as the host runs: a function of the submission lists the arguments.
  analyses_.arguments.note(kernel);
  analyses_.host_addresses.note(kernel);
  analyses_.uninitialized_reads.note_padding(kernel);
  hot.host_thread = this_host_thread();
  launch_ = report_on(kernel, configuration);
  // All blocks of a cluster are traced, or none.
  cluster_ = configuration.cluster;
  const std::uint64_t size = count_of(cluster_);
  const std::uint64_t limit = (options_.block_limit + size - 1) / size;
  if (options_.detail == Detail::counts) {
    sample_.choose_for_counts(launch_.blocks / size, limit, options_.seed);
  } else {
    sample_.choose(launch_.blocks / size, limit, options_.seed, unlike_before());
  }
  unlike_ = {};
  parked_events_.clear();
  analyses_.findings.launch_begins(kernel);
  analyses_.copies = {};
  analyses_.increments = {};
  analyses_.overwrites = {};
  analyses_.unread = {};
  analyses_.atomics = {};
  analyses_.in_block = {};
  hot.watches_stores = is_observing_ && options_.detail >= Detail::everything;
  begins_in_order_ = hot.watches_stores && configuration.has_cluster;
  for (Analysis* one : analyses_.all) one->launch_begins(kernel, configuration);
  if (options_.journal != nullptr) options_.journal->launch_begins(kernel, configuration);
}

void Dispatcher::launch_ends() {
  after_store();
  if (sticky_error() != cudaSuccess && traces_block) {
    logs_.abandon();
    for (Analysis* one : active_) one->block_is_abandoned();
  }
  logs_.launch_ends(analyses_.findings);
  discard_events();
  hot.watches_stores = false;
  parked_.clear();
  for (Analysis* one : analyses_.all) one->launch_ends();
  hot.host_thread = nullptr;
  traces_block = false;
  launch_.findings = analyses_.findings.launch_ends();
  if (options_.journal != nullptr) options_.journal->launch_ends();
  if (!is_observing_) return;
  launch_.has_heavier_blocks = unlike_.has_heavier();
  unlike_numbers_.push_back(unlike_.numbers());
  launch_.unlike_blocks = unlike_numbers_.back().size();
  for (Analysis* one : active_) one->add_to(launch_);
  if (options_.merges_launches) {
    merged_.add(report_.launches, std::move(launch_));
  } else {
    report_.launches.push_back(std::move(launch_));
  }
}

/// The process ends before the launch does.
void Dispatcher::cut_off_launch() {
  report::MemoryPlace number;
  number.index = 1;
  for (const report::LaunchReport& one : report_.launches) {
    number.index += static_cast<std::int64_t>(one.launches);
  }
  const Code last = traces_block ? logs_.last_place() : 0;
  if (traces_block) {
    logs_.abandon();
    for (Analysis* one : active_) one->block_is_abandoned();
  }
  report::Accessor thread = side_of(last, blockIdx, threadIdx);
  if (last == 0) thread.place = {};
  analyses_.findings.add(report::FindingKind::cut_off, number,
                         {thread, side_at(Scheduler::instance().configuration().site)});
  launch_ends();
}

// --- Blocks and threads --------------------------------------------------------------------------

/// The number of the running block, or of its cluster, in the sample.
std::uint64_t Dispatcher::sample_number() const {
  const dim3 extent(gridDim.x / cluster_.x, gridDim.y / cluster_.y, gridDim.z / cluster_.z);
  const std::uint64_t row =
      blockIdx.y / cluster_.y + std::uint64_t{extent.y} * (blockIdx.z / cluster_.z);
  return blockIdx.x / cluster_.x + extent.x * row;
}

/// What the running block did, if these are all of its events.
BlockWork Dispatcher::work_of(const SeenEvents& seen) const {
  BlockWork work = {seen.events, {}, seen.places};
  const bool was_alone = times_parked_ == times_parked_before_;
  if (!was_alone) return work;
  work.barriers = Scheduler::instance().barriers_passed() - barriers_before_;
  if (hot.watches_stores) work.shape = (traces_block ? traced_shape_ : seen.shape).value();
  return work;
}

/// The blocks that were unlike the traced ones when the same launch was observed before.
const std::vector<std::uint64_t>& Dispatcher::unlike_before() const {
  static const std::vector<std::uint64_t> none;
  const std::size_t launch = unlike_numbers_.size();
  return launch < unlike_numbers_before_.size() ? unlike_numbers_before_[launch] : none;
}

void Dispatcher::block_begins() {
  traces_block = is_observing_ && sample_.contains(sample_number());
  take_discarded();
  barriers_before_ = Scheduler::instance().barriers_passed();
  times_parked_before_ = times_parked_;
  if (!traces_block) return;
  ++launch_.observed_blocks;
  traced_shape_ = {};
  for (Analysis* one : active_) one->block_begins();
  logs_.block_begins();
  if (begins_in_order_) begin_thread_order();
}

void Dispatcher::block_ends() {
  if (!traces_block) {
    if (is_observing_) unlike_.add_other(sample_number(), work_of(take_discarded()));
    return;
  }
  logs_.block_ends();
  unlike_.add_traced(work_of(logs_.taken()));
  for (Analysis* one : active_) one->block_ends();
}

void Dispatcher::block_parks(std::uint64_t number) {
  ++times_parked_;
  if (!traces_block) {
    parked_events_[number] = take_discarded();
    return;
  }
  after_store();
  parked_[number] = logs_.park();
  for (Analysis* one : active_) one->block_parks(number);
}

void Dispatcher::block_unparks(std::uint64_t number) {
  take_discarded();
  if (const auto known = parked_events_.extract(number)) put_back(known.mapped());
  const auto parked = parked_.find(number);
  if (parked == parked_.end()) return;
  logs_.resume(std::move(parked->second));
  parked_.erase(parked);
  for (Analysis* one : active_) one->block_unparks(number);
  if (hot.watches_stores) logs_.begin_epoch(analyses_.points.epoch());
}

void Dispatcher::thread_runs(unsigned rank) {
  after_store();
  logs_.thread_runs(rank);
}

void Dispatcher::thread_waits(unsigned rank, WaitsFor what) {
  after_store();
  logs_.thread_waits(rank, what);
}

void Dispatcher::thread_ends(unsigned rank) {
  after_store();
  logs_.thread_ends(rank);
}

void Dispatcher::thread_wakes(unsigned rank) { logs_.thread_wakes(rank); }

void Dispatcher::barrier_opens() {
  after_store();
  logs_.barrier_opens();
  for (Analysis* one : active_) one->barrier_opens();
}

void Dispatcher::grid_barrier_opens() {
  for (Analysis* one : active_) one->grid_barrier_opens();
}

void Dispatcher::cluster_barrier_opens() {
  if (!traces_block || !hot.watches_stores || !logs_.is_in_thread_order()) return;
  after_store();
  for (const unsigned rank : Scheduler::instance().living_threads()) logs_.flush(rank);
  for (Analysis* one : active_) one->cluster_barrier_opens();
}

// --- Where threads meet, and pass on what they did -----------------------------------------------

void Dispatcher::begin_thread_order() {
  logs_.begin_thread_order();
  for (Analysis* one : active_) one->thread_order_begins();
}

bool Dispatcher::exchange_begins() {
  if (!hot.watches_stores) return false;
  after_store();
  if (!logs_.is_in_thread_order()) begin_thread_order();
  logs_.flush(logs_.running_thread());
  return true;
}

void Dispatcher::meet(std::span<const unsigned> threads) {
  for (const unsigned rank : threads) logs_.flush(rank);
  for (Analysis* one : active_) one->threads_meet(threads);
}

void Dispatcher::threads_meet(unsigned first, unsigned threads) {
  if (!exchange_begins()) return;
  std::vector<unsigned> ranks(threads);
  std::iota(ranks.begin(), ranks.end(), first);
  meet(ranks);
}

void Dispatcher::warp_operation_begins() {
  if (hot.cursor >= hot.end) log_is_full();
}

void Dispatcher::warp_operation_completes(unsigned warp, unsigned lanes, WarpOperation operation) {
  after_store();
  const bool orders_lanes = operation == WarpOperation::sync && hot.watches_stores;
  if (orders_lanes && logs_.is_in_thread_order()) {
    std::vector<unsigned> ranks;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) != 0) ranks.push_back(warp * 32 + lane);
    }
    meet(ranks);
    return logs_.lanes_meet(warp, lanes, 0);
  }
  logs_.take_early(warp, lanes);
  logs_.lanes_meet(warp, lanes, orders_lanes ? analyses_.points.sync(warp, lanes) : 0);
}

// --- What the hooks tell -------------------------------------------------------------------------

void Dispatcher::before_store(Event event) {
  if (!traces_block) {
    for (Analysis* one : of_untraced_stores_) one->untraced_store(event);
    return;
  }
  after_store();
  const unsigned thread = logs_.running_thread();
  if (analyses_.copies.is_running()) {
    for (Analysis* one : of_stores_) one->copy_stores(event, thread);
    return analyses_.copies.stores(event);
  }
  if (logs_.is_in_thread_order()) logs_.flush(thread);
  if (analyses_.points.hides_write(event, thread)) logs_.take_early(thread);
  const void* const memory = memory_at(address_of(event));
  for (Analysis* one : of_stores_) is_store_pending_ |= one->before_store(event, thread, memory);
}

void Dispatcher::read_strongly(Event event) {
  if (!traces_block) return;
  const unsigned thread = logs_.running_thread();
  if (is_polling_) analyses_.points.polls(event);
  if (logs_.is_in_thread_order()) logs_.flush(thread);
  const std::span<const Event> log = logs_.log_of_running_thread();
  if (const std::uint32_t point = analyses_.points.read_strongly(event, thread, log)) {
    append(make_event(point_mark, point));
  }
}

void Dispatcher::fence(Scope scope) {
  if (!traces_block) return;
  after_store();
  make_room();
  logs_.take_early(logs_.running_thread());
  append(make_event(point_mark, analyses_.points.fence(logs_.running_thread(), scope)));
}

void Dispatcher::frees(const void* begin, std::size_t bytes, Code code) {
  if (!traces_block || !hot.watches_stores) return;
  after_store();
  const unsigned thread = logs_.running_thread();
  if (logs_.is_in_thread_order()) logs_.flush(thread);
  logs_.take_early(thread);
  analyses_.races.frees(begin, bytes, code, thread);
}

void Dispatcher::order(MemoryOrder order) {
  if (!traces_block) return;
  after_store();
  make_room();
  logs_.take_early(logs_.running_thread());
  append(make_event(point_mark, analyses_.points.order(logs_.running_thread(), order)));
}

void Dispatcher::swap_fails() {
  if (traces_block) analyses_.points.swap_fails(logs_.running_thread());
}

void Dispatcher::atomic_begins() {
  // Others run while an event or a basic block waits for room in its log. They must not make an
  // atomic operation between the load and the store of this one, where the new value is computed.
  constexpr std::ptrdiff_t most = 64;
  if (hot.end - hot.cursor < most || hot.block_end - hot.block_cursor < most) logs_.make_room();
}

void Dispatcher::copy_begins(const void* from, unsigned source_bytes, CopyKind kind) {
  // Others run while an event waits for room in the log. They must not start copies before this one
  // is complete: a load per byte at most, and a store.
  constexpr std::ptrdiff_t most_events = 18;
  if (traces_block && hot.end - hot.cursor < most_events) logs_.make_room();
  analyses_.copies.begin(from, source_bytes, kind);
}

void Dispatcher::copy_ends(const void* from, unsigned source_bytes, Code load) {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  analyses_.copies.end(analyses_.kernel_memory.compress(address, source_bytes), source_bytes, load);
}

void log_is_full() { Dispatcher::instance().log_is_full(); }

void before_store(Event event) { Dispatcher::instance().before_store(event); }

void read_strongly(Event event) { Dispatcher::instance().read_strongly(event); }

// --- What the logs hold --------------------------------------------------------------------------

void Dispatcher::take(const WarpAccess& access) {
  if (hot.watches_stores && !sample_.has_all()) traced_shape_.add(access);
  const Some& takers = logs_.is_in_thread_order() ? of_warps_in_thread_order_ : of_warps_;
  if (is_in_one_space(access)) {
    for (Analysis* one : takers) one->take(access);
    return;
  }
  for (const MemorySpace space :
       {MemorySpace::global, MemorySpace::shared, MemorySpace::constant, MemorySpace::local}) {
    const WarpAccess part = part_in(access, space);
    if (part.count == 0) continue;
    for (Analysis* one : takers) one->take(part);
  }
}

void Dispatcher::take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  analyses_.points.take_point(warp, lanes, number);
}

void Dispatcher::take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) {
  analyses_.points.take_epoch(warp, lanes, epoch);
}

void Dispatcher::take_copy_mark(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
  analyses_.tracer.take_copy_mark(warp, lanes, number);
}

void Dispatcher::take_early(unsigned thread, const Event* begin, const Event* end, bool is_first) {
  if (hot.watches_stores) analyses_.points.take_early(thread, begin, end, is_first);
}

void Dispatcher::show_store(Event event) {
  if (hot.watches_stores) analyses_.uninitialized_reads.untraced_store(event);
}

void Dispatcher::take_alone(unsigned thread, const Event* begin, const Event* end) {
  for (const Event* event = begin; event != end; ++event) {
    const Code code = code_of(*event);
    if (is_mark(code) || analyses_.copies.is_copy(code)) continue;
    for (Analysis* one : of_threads_) one->take_alone(*event, thread);
  }
}

}  // namespace tilelab::emulator
