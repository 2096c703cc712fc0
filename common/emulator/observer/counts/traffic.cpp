#include "emulator/observer/counts/traffic.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emulator/observer/events/code_address.h"
#include "emulator/observer/memory/shared_variables.h"
#include "emulator/observer/memory/submission.h"

namespace tilelab::emulator {
namespace {

report::AccessCounts& counts_of(report::MemoryCounts& counts, MemorySpace space, AccessKind kind) {
  switch (space) {
    case MemorySpace::global:
      return kind == AccessKind::load    ? counts.global_loads
             : kind == AccessKind::store ? counts.global_stores
                                         : counts.global_atomics;
    case MemorySpace::shared:
      return kind == AccessKind::load    ? counts.shared_loads
             : kind == AccessKind::store ? counts.shared_stores
                                         : counts.shared_atomics;
    case MemorySpace::constant:
      return counts.constant_loads;
    default:
      return kind == AccessKind::load ? counts.local_loads : counts.local_stores;
  }
}

/// A row that the runtime copies or fills: whole sectors are moved for it.
void add_row(report::AccessCounts& counts, const void* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  ++counts.instructions;
  ++counts.requests;
  counts.bytes_requested += bytes;
  const std::uintptr_t last = first + bytes - 1;
  const std::uint64_t sectors = last / costs::sector_bytes - first / costs::sector_bytes + 1;
  counts.sectors += sectors;
  counts.wasted_bytes += sectors * costs::sector_bytes - bytes;
}

}  // namespace

void Traffic::launch_begins(const KernelCall&, const LaunchConfiguration&) {
  sites_.clear();
  numbers_.clear();
  loaded_.clear();
  stored_.clear();
}

Traffic::Site& Traffic::site_of(const WarpAccess& access, MemorySpace space) {
  const std::uint32_t number =
      numbers_.number_of(std::uint64_t{access.code} << 3 | static_cast<unsigned>(space));
  if (number == sites_.size()) {
    const std::optional<CopyKind> copy = copies_.kind_of_copy(access.code);
    sites_.push_back({.code = access.code,
                      .space = space,
                      .first_address = access.address(0),
                      .is_bulk_copy = copy && copy != CopyKind::of_thread,
                      .takes_parts = copy == CopyKind::bulk_of_part,
                      .is_increment = increments_.has(access.code)});
  }
  return sites_[number];
}

void Traffic::take(const WarpAccess& access) {
  const MemorySpace space = access.space();
  Site& site = site_of(access, space);
  count(site, access);
  if (space == MemorySpace::global) note_bytes(site, access);
  if (space == MemorySpace::shared && kind_of(access.code) != AccessKind::atomic &&
      !site.is_bulk_copy) {
    merged_.take(access, static_cast<std::size_t>(&site - sites_.data()), site.last_cost);
  }
}

void Traffic::count(Site& site, const WarpAccess& access) {
  report::AccessCounts& counts = site.counts;
  counts.thread_accesses += access.count;
  counts.bytes_requested += std::uint64_t{access.count} * access.bytes();
  if (site.is_bulk_copy) return count_bulk_copy(site, access);
  ++counts.instructions;
  ++counts.requests;
  if (site.space == MemorySpace::local) return;

  const bool is_global = site.space == MemorySpace::global;
  if (!site.last.repeats(access, is_global ? costs::sector_bytes : costs::bank_bytes)) {
    switch (site.space) {
      case MemorySpace::global:
        site.last_sectors = costs::sectors_of(access, access.kind());
        // Atomic operations that take turns do not move a sector more than once.
        site.last_wasted_bytes = costs::wasted_bytes(access, access.bytes(),
                                                     costs::sectors_of(access, AccessKind::load));
        break;
      case MemorySpace::shared:
        site.last_cost =
            costs::shared_cost_of(access, access.kind(), access.bytes(), site.is_increment);
        break;
      default:
        site.last_cost = costs::constant_cost_of(access);
        // A wavefront takes as much as a sector.
        site.last_wasted_bytes =
            costs::wasted_bytes(access, access.bytes(), site.last_cost.wavefronts);
    }
  }
  counts.sectors += site.last_sectors;
  counts.wasted_bytes += site.last_wasted_bytes;
  counts.wavefronts += site.last_cost.wavefronts;
  counts.ideal_wavefronts += site.last_cost.ideal;
}

void Traffic::count_bulk_copy(Site& site, const WarpAccess& access) {
  using costs::sector_bytes;
  constexpr unsigned row_bytes = costs::bank_count * costs::bank_bytes;
  report::AccessCounts& counts = site.counts;
  const bool begins = access.address(0) != site.next_address;
  if (begins) {
    ++counts.instructions;
    ++counts.requests;
  }
  site.next_address = access.address(0) + access.bytes();
  const std::uint64_t bytes = counts.bytes_requested;
  if (site.space == MemorySpace::global) {
    for (unsigned i = 0; i < access.count; ++i) {
      if (site.takes_parts || access.address(i) % sector_bytes == 0) ++counts.sectors;
    }
    if (site.takes_parts) counts.wasted_bytes = sector_bytes * counts.sectors - bytes;
  } else {
    counts.wavefronts = counts.ideal_wavefronts = (bytes + row_bytes - 1) / row_bytes;
    counts.merged_requests = counts.requests;
    counts.merged_wavefronts = counts.merged_ideal_wavefronts = counts.wavefronts;
  }
}

void Traffic::note_bytes(const Site& site, const WarpAccess& access) {
  ByteSet& set = kind_of(site.code) == AccessKind::load ? loaded_ : stored_;
  const unsigned bytes = access.bytes();
  if (access.is_regular && access.stride == 0) return set.add(access.first, bytes);
  if (access.is_regular && access.stride == bytes) {
    return set.add_range(access.first, std::size_t{access.count} * bytes);
  }
  for (unsigned i = 0; i < access.count; ++i) set.add(access.address(i), bytes);
}

void Traffic::memory_written(const void* begin, std::size_t bytes) {
  add_row(of_runtime_.stores, begin, bytes);
}

void Traffic::memory_copied(const void* to, const void* from, std::size_t bytes) {
  const auto target = compress_device(to, bytes);
  add_row(of_runtime_.loads, from, bytes);
  add_row(of_runtime_.stores, to, bytes);
  if (target && *target >= space_base::constant) of_runtime_.constants_hold_copies = true;
}

void Traffic::add_to(report::Report& report) {
  report.engine_loads = of_runtime_.loads;
  report.engine_stores = of_runtime_.stores;
  report.constants_hold_copies = of_runtime_.constants_hold_copies;
}

void Traffic::add_to(report::LaunchReport& report) {
  merged_.end();
  report.static_shared_bytes = static_shared_bytes();
  report.totals = totals();
  report.lines = lines();
  report.distinct_global_bytes_loaded = loaded_.count();
  report.distinct_global_bytes_stored = stored_.count();
}

void Traffic::add(report::MemoryCounts& counts, const Site& site) const {
  const AccessKind kind = kind_of(site.code);
  counts_of(counts, site.space, kind) += site.counts;
  if (site.space == MemorySpace::global && kind == AccessKind::atomic && !unread_.has(site.code)) {
    counts.atomic_reads += site.counts;
  }
  if (site.space == MemorySpace::constant) {
    const std::uint64_t words = site.counts.wavefronts - site.counts.ideal_wavefronts;
    counts.constant_words.thread_accesses += words;
    counts.constant_words.bytes_requested += words * bytes_of(site.code);
  }
  if (!copies_.is_copy(site.code)) return;
  if (site.space == MemorySpace::shared && kind == AccessKind::store) {
    counts.shared_copies += site.counts;
  }
  if (site.space == MemorySpace::global && kind == AccessKind::load) {
    counts.global_copies += site.counts;
  }
}

report::MemoryCounts Traffic::totals() const {
  report::MemoryCounts totals;
  for (const Site& site : sites_) add(totals, site);
  return totals;
}

std::vector<report::LineCounts> Traffic::lines() const {
  std::map<std::uint64_t, report::MemoryCounts> by_place;
  for (const Site& site : sites_) {
    add(by_place[link_time_address(place_of(site.code))], site);
  }
  std::vector<report::LineCounts> result;
  for (const auto& [address, counts] : by_place) result.push_back({{address, "", 0}, counts});
  return result;
}

std::size_t Traffic::static_shared_bytes() const {
  std::set<const SharedVariable*> used;
  for (const Site& site : sites_) {
    if (site.space != MemorySpace::shared || site.first_address >= space_base::dynamic) continue;
    used.insert(SharedVariables::instance().nearest(site.first_address - space_base::shared));
  }
  used.erase(nullptr);
  std::size_t bytes = 0;
  for (const SharedVariable* variable : used) bytes += variable->bytes;
  return bytes;
}

}  // namespace tilelab::emulator
