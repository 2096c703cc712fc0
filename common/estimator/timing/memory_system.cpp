#include "estimator/timing/memory_system.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilelab::estimator {

namespace {

constexpr double one_sector = 1.0 / 8;  // of a region

// The microbenchmarks add to all words of a line, or to one. In between, more than this many words
// of a line are like all.
constexpr int few_words = 3;

// The load of DRAM is that of the last cycles, about this many.
constexpr double load_memory = 4000;

double share_of(const Moved& moved, const Line& line) {
  return line.is_shared ? moved.shared_share : moved.share;
}

/// How much longer DRAM takes where only some of each region is touched.
/// @param open  which share of the time for a whole region it takes to open it
double slowdown(double density, double open) {
  return 1 - open + open / std::max(density, one_sector);
}

/// The whole sectors of those that are owed and added. The rest of a sector is owed.
double whole(double added, double& owed) {
  owed += added;
  const double made = std::floor(owed);
  owed -= made;
  return made;
}

}  // namespace

MemorySystem::MemorySystem(const Gpu& gpu, const Misses& misses, double neighbors)
    : gpu_(gpu),
      misses_(misses),
      hertz_(gpu.gigahertz * 1e9),
      neighbors_(neighbors),
      l2_(gpu.l2_reach / neighbors) {
  const double share = hertz_ * neighbors;
  l2_cycles_ = std::max(0.5, sector_bytes * share / gpu.l2_bytes_per_second);
  read_cycles_ = sector_bytes * share / gpu.dram_read;
  // A copy of this many bytes per second reads one half and writes the other.
  write_cycles_ = std::max(0.0, 2 * sector_bytes * share / gpu.dram_copy - read_cycles_);
  partial_cycles_ = share / gpu.partial_stores;
}

double MemorySystem::load(double begin, const Line& line, std::uint8_t sectors, int block) {
  const int count = std::popcount(sectors);
  const double cycles = count * l2_cycles_;
  const double start = use_l2(begin, cycles);
  traffic_.l2_busy += cycles;
  traffic_.l2_sectors += count;
  double done = start + cycles + gpu_.l2_latency;
  const Moved& moved = misses_.at(line.number).loads;
  const double share = share_of(moved, line);
  const double missed = whole(l2_.load(line.number, sectors, block, share) * share, owed_reads_);
  if (missed > 0) {
    use_dram(start, missed * read_cycles_ * slowdown(moved.density, gpu_.dram_open_read), missed);
    const double load = std::min(dram_load_, 0.9);
    const double waiting = gpu_.dram_wait * load / (1 - load);
    done = std::max(done, dram_free_ + gpu_.dram_latency + waiting);
  }
  traffic_.load_bytes += count * sector_bytes * (done - begin);
  return done;
}

void MemorySystem::store(double begin, const Line& line, int block) {
  const int count = std::popcount(line.sectors);
  const bool is_partial = line.whole != line.sectors;
  const double cycles = std::max(count * l2_cycles_, is_partial ? partial_cycles_ : 0);
  const double start = use_l2(begin, cycles);
  traffic_.l2_busy += cycles;
  traffic_.l2_sectors += count;
  const Moved& moved = misses_.at(line.number).stores;
  const double share = share_of(moved, line);
  const double missed =
      whole(l2_.store(line.number, line.sectors, block, share) * share, owed_writes_);
  if (missed > 0) {
    use_dram(start, missed * write_cycles_ * slowdown(moved.density, gpu_.dram_open_write), missed);
  }
  last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
}

double MemorySystem::atomic(double begin, const Instruction& one, const Step& step,
                            const Line& line) {
  const double cycles = neighbors_ * hertz_ / atomics_per_second(one, step, line);
  const double start = use_l2(begin, cycles);
  traffic_.atomics_busy += cycles;
  traffic_.atomics_of[step.instruction] += cycles;
  if (step.lines > 1 && step.distinct < few_words * step.lines) {
    traffic_.scattered_atomics += cycles;
  }
  last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
  return start + cycles + gpu_.l2_latency;
}

/// How many such requests for a line the whole GPU serves, if all go to the array of this one.
double MemorySystem::atomics_per_second(const Instruction& one, const Step& step,
                                        const Line& line) const {
  const double lines = misses_.at(line.number).stored_lines;
  if (step.distinct == 1) {
    const double of_word = one.has("F32") ? gpu_.atomics_same_word_float : gpu_.atomics_same_word;
    return std::min(gpu_.atomics, of_word / step.lanes * lines);
  }
  const double words = static_cast<double>(step.distinct) / step.lines;
  return std::min({gpu_.atomics, gpu_.atomics_words / words, gpu_.atomics_line * lines});
}

/// Keeps the L2 cache busy. @return from when on
double MemorySystem::use_l2(double begin, double cycles) {
  const double start = std::max(begin, l2_free_);
  l2_free_ = start + cycles;
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

}  // namespace tilelab::estimator
