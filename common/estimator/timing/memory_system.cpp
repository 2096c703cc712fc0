#include "estimator/timing/memory_system.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilelab::estimator {

namespace {

constexpr double sector_bytes = 32;

// Atomics on an array of at most so many bytes get in each other's way.
constexpr std::uint64_t contended_bytes = 8192;

// The load of DRAM is that of the last cycles, about so many.
constexpr double load_memory = 4000;

}  // namespace

MemorySystem::MemorySystem(const Gpu& gpu, const Misses& misses, double neighbors)
    : gpu_(gpu), misses_(misses), hertz_(gpu.gigahertz * 1e9), neighbors_(neighbors) {
  const double share = hertz_ * neighbors;
  l2_cycles_ = std::max(0.5, sector_bytes * share / gpu.l2_bytes_per_second);
  read_cycles_ = sector_bytes * share / gpu.dram_read;
  // A copy of so many bytes per second reads one half and writes the other.
  write_cycles_ = std::max(0.0, 2 * sector_bytes * share / gpu.dram_copy - read_cycles_);
  partial_cycles_ = share / gpu.partial_stores;
}

double MemorySystem::load(double begin, const Line& line, std::uint8_t sectors, int block) {
  const int count = std::popcount(sectors);
  const double cycles = count * l2_cycles_;
  const double start = use_l2(begin, cycles);
  traffic_.l2_sectors += count;
  double done = start + cycles + gpu_.l2_latency;
  const double missed = misses(line, sectors, block, loaded_, owed_reads_);
  if (missed > 0) {
    use_dram(start, missed * read_cycles_, missed);
    const double load = std::min(dram_load_, 0.9);
    const double waiting = gpu_.dram_wait * load / (1 - load);
    done = std::max(done, dram_free_ + gpu_.dram_latency + waiting);
  }
  traffic_.load_bytes += count * sector_bytes * (done - begin);
  return done;
}

void MemorySystem::store(double begin, const Line& line, int block) {
  const int count = std::popcount(line.sectors);
  const int partial = count - std::popcount(line.whole);
  const double start = use_l2(
      begin, (count - partial) * l2_cycles_ + partial * std::max(l2_cycles_, partial_cycles_));
  traffic_.l2_sectors += count;
  const double missed = misses(line, line.sectors, block, stored_, owed_writes_);
  if (missed > 0) use_dram(start, missed * write_cycles_, missed);
  last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
}

double MemorySystem::atomic(double begin, const Step& step, const Line& line) {
  const bool is_contended = misses_.bytes_at(line.number) <= contended_bytes;
  const double rate = !is_contended        ? gpu_.atomics
                      : step.distinct == 1 ? gpu_.atomics_same_word / step.lanes
                                           : gpu_.atomics_contended;
  const double cycles = neighbors_ * hertz_ / rate;
  const double start = use_l2(begin, cycles);
  last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
  return start + cycles + gpu_.l2_latency;
}

/// Keeps the L2 cache busy. @return from when on
double MemorySystem::use_l2(double begin, double cycles) {
  const double start = std::max(begin, l2_free_);
  l2_free_ = start + cycles;
  traffic_.l2_busy += cycles;
  return start;
}

void MemorySystem::use_dram(double begin, double cycles, double sectors) {
  const double start = std::max(begin, dram_free_);
  const double elapsed = std::max(start - dram_load_at_, 0.0);
  dram_load_ = dram_load_ * std::exp(-elapsed / load_memory) + cycles / load_memory;
  dram_load_at_ = std::max(dram_load_at_, start);
  dram_free_ = start + cycles;
  traffic_.dram_busy += cycles;
  traffic_.dram_sectors += sectors;
  // What waits for DRAM occupies the L2 cache's queue.
  l2_free_ = std::max(l2_free_, dram_free_ - gpu_.l2_queue);
}

/// How many whole sectors miss now. The rest of a sector is owed.
double MemorySystem::misses(const Line& line, std::uint8_t sectors, int block, Touched& seen,
                            double& owed) {
  std::uint8_t& before = seen[line.number * 64 + static_cast<std::uint64_t>(block % 64)];
  const auto first_touched = static_cast<std::uint8_t>(sectors & ~before);
  owed += std::popcount(first_touched) * misses_.of(line.number, line.is_shared);
  before |= sectors;
  const double missed = std::floor(owed);
  if (missed > 0) owed -= missed;
  return missed;
}

}  // namespace tilelab::estimator
