#include "estimator/estimate/estimate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "estimator/estimate/addresses.h"
#include "estimator/estimate/dram_traffic.h"
#include "estimator/estimate/extrapolation.h"
#include "estimator/estimate/unmeasured.h"
#include "estimator/timing/l2_cache.h"
#include "estimator/timing/occupancy.h"
#include "estimator/timing/sub_partition.h"

namespace tilelab::estimator {

namespace {

// What less has to do with is not worth a word.
constexpr double least_share = 0.001;

std::vector<Waited> waited_for(const Timing& timing) {
  double all = 0, all_atomics = 0;
  for (const double it : timing.waits) all += it;
  for (const auto& [instruction, cycles] : timing.traffic.atomics_of) all_atomics += cycles;
  std::vector<Waited> made;
  for (std::size_t i = 0; i < timing.waits.size(); ++i) {
    const auto atomics = timing.traffic.atomics_of.find(static_cast<std::int32_t>(i));
    const double turns = atomics == timing.traffic.atomics_of.end() ? 0 : atomics->second;
    const Waited it{i, all > 0 ? timing.waits[i] / all : 0, turns > 0 ? turns / all_atomics : 0};
    if (it.waits >= least_share || it.atomics >= least_share) made.push_back(it);
  }
  return made;
}

Estimate summary(const Launch& launch, const Sample& sample, const Timing& timing,
                 double neighbors) {
  const Extrapolated whole = extrapolated(timing, sample, static_cast<double>(launch.blocks()));
  Estimate made;
  made.kernel = launch.kernel;
  made.cycles = whole.cycles;
  made.instructions = sample.instructions * static_cast<double>(launch.blocks());
  made.resident_blocks = sample.resident;
  made.blocks_per_multiprocessor = sample.per_multiprocessor;
  made.share_simulated = std::min(1.0, sample.share_kept);
  made.issue_busy = timing.issued / timing.cycles / sub_partitions;
  made.l1_busy = timing.l1_busy / timing.cycles;
  made.l2_busy = timing.traffic.l2_busy / timing.cycles;
  made.atomics_busy = timing.traffic.atomics_busy / timing.cycles;
  made.dram_busy = timing.traffic.dram_busy / timing.cycles;
  for (std::size_t i = 0; i < made.stalls.size(); ++i) {
    made.stalls[i] = timing.states[i] / timing.issued;
  }
  const double of_gpu = whole.factor * neighbors;
  made.dram_bytes = timing.traffic.dram_sectors * sector_bytes * of_gpu;
  made.l2_bytes = timing.traffic.l2_sectors * sector_bytes * of_gpu;
  made.bytes_in_flight = timing.traffic.load_bytes / timing.cycles;
  made.unknown_branches = sample.unknown_branches;
  made.unlike = sample.unlike;
  made.spread = whole.spread;
  made.waited = waited_for(timing);
  made.blocks = sample.numbers;
  return made;
}

}  // namespace

Estimate Estimator::next(const Function& function, const Launch& launch, const Kernel& kernel) {
  const Work work{function, launch, kernel, memory_};
  const Sample sample = sample_blocks(work, gpu_);
  check_addresses(sample, work, gpu_);
  const Misses misses = misses_of(sample, work, warm_, gpu_);
  Setup setup;
  setup.resident_blocks = static_cast<int>(sample.resident);
  setup.cache_bytes = cache_bytes(launch, kernel, gpu_, setup.resident_blocks);
  setup.neighbors = std::min(gpu_.multiprocessors, static_cast<double>(launch.blocks()));
  const Timing timing = time_blocks(function, sample.blocks, setup, gpu_, misses);
  const double doubt = unmeasured(function, sample, timing, setup, misses, gpu_);
  remember_outputs(sample, function);
  Estimate made = summary(launch, sample, timing, setup.neighbors);
  made.spread += doubt;
  return made;
}

void Estimator::set_memory(Memory memory) {
  const auto is_warm = [&](const Array& it) {
    return std::ranges::any_of(warm_, [&](int number) {
      const Array& old = memory_.arrays()[static_cast<std::size_t>(number)];
      return old.address == it.address && old.bytes == it.bytes;
    });
  };
  std::set<int> warm;
  for (std::size_t i = 0; i < memory.arrays().size(); ++i) {
    if (is_warm(memory.arrays()[i])) warm.insert(static_cast<int>(i));
  }
  warm_ = std::move(warm);
  memory_ = std::move(memory);
}

/// The next launch finds small outputs in the L2 cache, with values that only executed blocks know.
void Estimator::remember_outputs(const Sample& sample, const Function& function) {
  for (const int it : outputs(sample.blocks, function, memory_)) {
    memory_.set_written(it);
    const auto bytes = memory_.arrays()[static_cast<std::size_t>(it)].bytes;
    if (static_cast<double>(bytes) >= gpu_.l2_bytes / 2) continue;
    warm_.insert(it);
    memory_.set_computed(it);
  }
}

}  // namespace tilelab::estimator
