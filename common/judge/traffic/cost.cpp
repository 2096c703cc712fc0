#include "judge/traffic/cost.h"

#include <algorithm>

namespace tilelab::judge {
namespace {

using report::AccessCounts;
using report::LaunchReport;
using report::MemoryCounts;

std::uint64_t scaled(std::uint64_t count, const LaunchReport& launch) {
  if (launch.observed_blocks == launch.blocks || launch.observed_blocks == 0) return count;
  return static_cast<std::uint64_t>(static_cast<double>(count) *
                                    static_cast<double>(launch.blocks) /
                                    static_cast<double>(launch.observed_blocks));
}

MemoryCounts scaled_counts(const LaunchReport& launch) {
  MemoryCounts counts = launch.totals;
  schema::for_each_field<MemoryCounts>([&](const auto& access) {
    schema::for_each_field<AccessCounts>([&](const auto& count) {
      std::uint64_t& one = (counts.*access.member).*count.member;
      one = scaled(one, launch);
    });
  });
  return counts;
}

std::uint64_t certain_conflicts_of(const AccessCounts& counts) {
  return std::min(counts.bank_conflicts(), counts.merged_bank_conflicts());
}

void forget_constants(Cost& cost) {
  cost.kernels.constant_loads = {};
  cost.kernels.constant_words = {};
}

}  // namespace

Cost cost_of(const Observation& observation) {
  const report::Report& report = observation.report;
  Cost cost;
  cost.engine_loads = report.engine_loads;
  cost.engine_stores = report.engine_stores;
  for (const LaunchReport& launch : report.launches) cost.kernels += scaled_counts(launch);
  if (!report.constants_hold_copies) forget_constants(cost);
  return cost;
}

Cost cost_of(const Observation& observation, const report::LineCounts& line) {
  Cost cost;
  cost.kernels = line.counts;
  if (!observation.report.constants_hold_copies) forget_constants(cost);
  return cost;
}

std::uint64_t loaded_bytes(const Cost& cost) {
  return bytes_loaded_by_threads(cost) + cost.kernels.global_copies.bytes_requested +
         cost.engine_loads.bytes_requested;
}

std::uint64_t bytes_loaded_by_threads(const Cost& cost) {
  const MemoryCounts& kernels = cost.kernels;
  return kernels.global_loads.bytes_requested - kernels.global_copies.bytes_requested +
         kernels.atomic_reads.bytes_requested + kernels.constant_words.bytes_requested;
}

std::uint64_t stored_bytes(const Cost& cost) {
  return cost.kernels.global_stores.bytes_requested + cost.kernels.global_atomics.bytes_requested +
         cost.engine_stores.bytes_requested;
}

std::uint64_t wasted_bytes(const Cost& cost) {
  const MemoryCounts& kernels = cost.kernels;
  return kernels.global_loads.wasted_bytes + kernels.global_stores.wasted_bytes +
         kernels.global_atomics.wasted_bytes + kernels.constant_loads.wasted_bytes +
         cost.engine_loads.wasted_bytes + cost.engine_stores.wasted_bytes;
}

std::uint64_t shared_wavefronts(const Cost& cost) {
  return cost.kernels.shared_loads.wavefronts + cost.kernels.shared_stores.wavefronts +
         cost.kernels.shared_atomics.wavefronts;
}

std::uint64_t certain_conflicts(const Cost& cost) {
  return certain_conflicts_of(cost.kernels.shared_loads) +
         certain_conflicts_of(cost.kernels.shared_stores) +
         cost.kernels.shared_atomics.bank_conflicts();
}

}  // namespace tilelab::judge
