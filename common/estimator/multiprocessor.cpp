#include "estimator/multiprocessor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <list>
#include <unordered_map>

namespace tilelab::estimator {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int quarters = 4;

/// The first-level cache: lines, of which the one unused longest goes first.
class Cache {
 public:
  explicit Cache(double bytes) : most_(static_cast<std::size_t>(std::max(bytes, 4096.0) / 128)) {}

  struct Found {
    std::uint8_t hits;
    double ready;  ///< when the line's data has arrived
  };

  Found find(std::uint64_t line, std::uint8_t sectors) {
    const auto at = places_.find(line);
    if (at == places_.end()) return {0, 0};
    order_.splice(order_.begin(), order_, at->second);
    return {static_cast<std::uint8_t>(at->second->sectors & sectors), at->second->ready};
  }

  void add(std::uint64_t line, std::uint8_t sectors, double ready) {
    const auto at = places_.find(line);
    if (at != places_.end()) {
      at->second->sectors |= sectors;
      at->second->ready = std::max(at->second->ready, ready);
      return;
    }
    order_.push_front({line, sectors, ready});
    places_[line] = order_.begin();
    if (order_.size() > most_) {
      places_.erase(order_.back().line);
      order_.pop_back();
    }
  }

 private:
  struct Entry {
    std::uint64_t line;
    std::uint8_t sectors;
    double ready;
  };

  std::size_t most_;
  std::list<Entry> order_;
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> places_;
};

struct Running {
  const Trace* trace = nullptr;
  std::size_t next = 0;
  int block = 0;
  double ready = 0;               ///< when the stall count of the last instruction is over
  std::array<double, 6> scoreboards{};
  std::array<bool, 6> is_long{};  ///< whether global memory holds the scoreboard
  double copies_done = 0;         ///< asynchronous copies of the open group
  std::deque<double> groups;
  bool at_barrier = false;
  double barrier_since = 0;
};

struct Resident {
  int index = 0;  ///< among the blocks
  int running = 0;
  int waiting = 0;
};

class Multiprocessor {
 public:
  Multiprocessor(const Function& function, const std::vector<BlockTrace>& blocks, int resident,
                 const Gpu& gpu, double l1_bytes, const Misses& misses, double neighbors)
      : function_(function),
        blocks_(blocks),
        gpu_(gpu),
        cache_(l1_bytes),
        misses_(misses),
        neighbors_(neighbors),
        resident_(resident) {
    const double hertz = gpu.gigahertz * 1e9;
    const double share = hertz * neighbors;
    l2_cycles_ = std::max(0.5, 32 * share / gpu.l2_bytes_per_second);
    read_cycles_ = 32 * share / gpu.dram_read;
    // A copy of so many bytes per second reads one half and writes the other.
    write_cycles_ = std::max(0.0, 64 * share / gpu.dram_copy - read_cycles_);
    partial_cycles_ = share / gpu.partial_stores;
    for (const BlockTrace& block : blocks) {
      for (const Trace& trace : block) half_ += static_cast<double>(trace.steps.size());
    }
    half_ = std::floor(half_ / 2);
  }

  Timing run() {
    for (int i = 0; i < resident_; ++i) start_next(0);
    while (live_ > 0) {
      cycle();
      if (now_ > 4e8) break;
    }
    made_.cycles = std::max({now_, last_store_, made_.dram_busy, made_.l2_busy});
    return std::move(made_);
  }

 private:
  void start_next(double at) {
    if (static_cast<std::size_t>(started_) >= blocks_.size()) return;
    const BlockTrace& block = blocks_[static_cast<std::size_t>(started_)];
    launch_free_ = std::max(at, launch_free_) + gpu_.block_launch * neighbors_;
    const int place = static_cast<int>(residents_.size());
    residents_.push_back({started_, static_cast<int>(block.size()), 0});
    double begin = launch_free_ + gpu_.block_latency;
    for (std::size_t w = 0; w < block.size(); ++w) {
      Running it;
      it.trace = &block[w];
      it.block = place;
      begin += gpu_.block_warp_latency;
      it.ready = begin;
      warps_[static_cast<std::size_t>(next_quarter_)].push_back(it);
      next_quarter_ = (next_quarter_ + 1) % quarters;
      ++live_;
    }
    ++started_;
  }

  void cycle() {
    bool issued = false;
    double soonest = never;
    // Each quarter is the first to reach the L1 cache's queue in turn.
    first_quarter_ = (first_quarter_ + 1) % quarters;
    for (int q = 0; q < quarters; ++q) issued |= issue((first_quarter_ + q) % quarters, soonest);
    const double next = issued ? now_ + 1 : std::max(now_ + 1, std::ceil(soonest));
    if (next == never) {
      now_ += 1;
      return;
    }
    if (!issued) {
      for (auto& [state, count] : waiting_) made_.states[static_cast<std::size_t>(state)] += count * (next - now_);
    } else {
      for (auto& [state, count] : waiting_) made_.states[static_cast<std::size_t>(state)] += count;
    }
    waiting_.clear();
    now_ = next;
    flush_ended();
  }

  /// Has one warp of a quarter issue an instruction, the one that waited longest first.
  bool issue(int quarter, double& soonest) {
    auto& warps = warps_[static_cast<std::size_t>(quarter)];
    bool issued = false;
    const std::size_t count = warps.size();
    std::array<int, stalls> counts{};
    std::size_t chosen = count;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (turn_[static_cast<std::size_t>(quarter)] + k) % count;
      Running& warp = warps[i];
      if (warp.at_barrier) {
        ++counts[static_cast<std::size_t>(Stall::barrier)];
        continue;
      }
      Stall why = Stall::selected;
      const double when = possible(warp, quarter, why);
      if (when <= now_) {
        if (chosen == count) {
          chosen = i;
        } else {
          ++counts[static_cast<std::size_t>(Stall::not_selected)];
          soonest = std::min(soonest, now_ + 1);
        }
      } else {
        if (warp.next > 0) ++counts[static_cast<std::size_t>(why)];
        soonest = std::min(soonest, when);
      }
    }
    if (chosen < count) {
      ++counts[static_cast<std::size_t>(Stall::selected)];
      turn_[static_cast<std::size_t>(quarter)] = chosen;
      read_registers(instruction(warps[chosen]), quarter);
      perform(warps[chosen], quarter);
      ++made_.issued;
      if (made_.issued == half_) made_.half_cycles = now_;
      issued = true;
    }
    for (int s = 0; s < stalls; ++s) {
      if (counts[static_cast<std::size_t>(s)] > 0) {
        waiting_.emplace_back(static_cast<Stall>(s), counts[static_cast<std::size_t>(s)]);
      }
    }
    return issued;
  }

  const Instruction& instruction(const Running& warp) const {
    return function_.code[static_cast<std::size_t>(warp.trace->steps[warp.next].instruction)];
  }

  /// When a warp's next instruction can be issued, and what it waits for.
  double possible(const Running& warp, int quarter, Stall& why) const {
    const Instruction& one = instruction(warp);
    double when = warp.ready;
    why = Stall::wait;
    for (std::uint32_t waits = one.control.waits; waits != 0; waits &= waits - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(waits));
      if (warp.scoreboards[at] > when) {
        when = warp.scoreboards[at];
        why = warp.is_long[at] ? Stall::long_scoreboard : Stall::short_scoreboard;
      }
    }
    if (one.operation == Operation::DEPBAR) {
      const double done = groups_done(warp, one);
      if (done > when) when = done, why = Stall::long_scoreboard;
    }
    if (reads_at_once(one)) {
      const double read = banks_free(one, quarter);
      if (read > when) when = read, why = Stall::dispatch_stall;
    }
    const double free = pipe_free(one, quarter);
    if (free > when) {
      when = free;
      const bool is_global = one.operation == Operation::LDG || one.operation == Operation::STG ||
                             one.operation == Operation::LDGSTS;
      why = one.pipe == Pipe::lsu ? (is_global ? Stall::lg_throttle : Stall::mio_throttle)
                                  : Stall::math_pipe_throttle;
    }
    return when;
  }

  static bool reads_at_once(const Instruction& one) {
    return one.pipe == Pipe::fma || one.pipe == Pipe::fma_heavy || one.pipe == Pipe::alu;
  }

  /// A bank of registers gives one per cycle, and an instruction has three cycles to read.
  double banks_free(const Instruction& one, int quarter) const {
    double free = 0;
    for (std::size_t b = 0; b < 2; ++b) {
      if (one.reads[b] == 0) continue;
      free = std::max(free, banks_free_[static_cast<std::size_t>(quarter)][b] + one.reads[b] -
                                gpu_.read_window);
    }
    return free;
  }

  void read_registers(const Instruction& one, int quarter) {
    if (!reads_at_once(one)) return;
    for (std::size_t b = 0; b < 2; ++b) {
      double& free = banks_free_[static_cast<std::size_t>(quarter)][b];
      free = std::max(free, now_) + one.reads[b];
    }
  }

  static double groups_done(const Running& warp, const Instruction& one) {
    std::size_t left = 0;
    for (const Operand& it : one.operands) {
      if (it.kind == Kind::number) left = static_cast<std::size_t>(it.value);
    }
    return warp.groups.size() > left ? warp.groups[warp.groups.size() - 1 - left] : 0;
  }

  double pipe_free(const Instruction& one, int quarter) const {
    const auto& free = pipes_[static_cast<std::size_t>(quarter)];
    switch (one.pipe) {
      case Pipe::fma:
        return std::min(free[0], free[1]);
      case Pipe::fma_heavy:
        return free[0];
      case Pipe::lsu:
        return l1_free_ - gpu_.l1_queue;
      default:
        return free[static_cast<std::size_t>(one.pipe)];
    }
  }

  void occupy(const Instruction& one, int quarter) {
    auto& free = pipes_[static_cast<std::size_t>(quarter)];
    switch (one.pipe) {
      case Pipe::fma:
        (free[1] <= free[0] ? free[1] : free[0]) = now_ + gpu_.fma;
        break;
      case Pipe::fma_heavy:
        free[0] = now_ + gpu_.fma;
        break;
      case Pipe::alu:
        free[static_cast<std::size_t>(Pipe::alu)] = now_ + gpu_.alu;
        break;
      case Pipe::xu:
        free[static_cast<std::size_t>(Pipe::xu)] = now_ + gpu_.xu;
        break;
      case Pipe::adu:
        free[static_cast<std::size_t>(Pipe::adu)] = now_ + gpu_.adu;
        break;
      case Pipe::uniform:
        free[static_cast<std::size_t>(Pipe::uniform)] = now_ + gpu_.uniform;
        break;
      case Pipe::fp64:
        free[static_cast<std::size_t>(Pipe::fp64)] = now_ + gpu_.fp64;
        break;
      default:
        break;
    }
  }

  void perform(Running& warp, int quarter) {
    const Step& step = warp.trace->steps[warp.next];
    const Instruction& one = instruction(warp);
    occupy(one, quarter);
    double done = now_;
    double read = now_;
    bool is_long = false;
    switch (one.pipe) {
      case Pipe::lsu:
        done = access(one, *warp.trace, step, read, is_long, warp);
        break;
      case Pipe::xu:
        done = now_ + gpu_.xu_latency;
        break;
      case Pipe::adu:
        done = now_ + (one.operation == Operation::LDC ? gpu_.constant_latency : gpu_.special_latency);
        break;
      default:
        done = now_ + (one.operation == Operation::ULDC ? gpu_.constant_latency : 12);
        break;
    }
    const Control& control = one.control;
    if (control.write_scoreboard < 6) {
      const auto at = static_cast<std::size_t>(control.write_scoreboard);
      warp.scoreboards[at] = std::max(warp.scoreboards[at], done);
      warp.is_long[at] = is_long;
    }
    if (control.read_scoreboard < 6) {
      const auto at = static_cast<std::size_t>(control.read_scoreboard);
      warp.scoreboards[at] = std::max(warp.scoreboards[at], read + 8);
      warp.is_long[at] = false;
    }
    warp.ready = now_ + std::max(1, control.stall);
    if (one.operation == Operation::LDGDEPBAR) {
      warp.groups.push_back(std::max(warp.copies_done, warp.groups.empty() ? 0 : warp.groups.back()));
      warp.copies_done = 0;
      if (warp.groups.size() > 64) warp.groups.pop_front();
    }
    if (one.operation == Operation::BRA) warp.ready = std::max(warp.ready, now_ + 8);
    ++warp.next;
    if (one.operation == Operation::BAR && !one.has("ARV")) arrive(warp);
    if (warp.next == warp.trace->steps.size()) has_ended_ = true;
  }

  void arrive(Running& warp) {
    Resident& block = residents_[static_cast<std::size_t>(warp.block)];
    warp.at_barrier = true;
    barrier_free_ = std::max(now_, barrier_free_) + gpu_.barrier_arrival;
    ++block.waiting;
    release(block, warp.block);
  }

  void release(Resident& block, int place) {
    if (block.waiting == 0 || block.waiting < block.running) return;
    block.waiting = 0;
    for (auto& warps : warps_) {
      for (Running& it : warps) {
        if (it.block != place || !it.at_barrier) continue;
        it.at_barrier = false;
        it.ready = std::max(now_, barrier_free_) + gpu_.barrier_latency;
      }
    }
  }

  /// Takes warps that are through out of their quarters, and starts blocks in place of whole ones.
  void flush_ended() {
    if (!has_ended_) return;
    for (auto& warps : warps_) {
      for (std::size_t i = 0; i < warps.size();) {
        if (warps[i].next < warps[i].trace->steps.size() || warps[i].at_barrier) {
          ++i;
          continue;
        }
        const int place = warps[i].block;
        warps[i] = std::move(warps.back());
        warps.pop_back();
        --live_;
        Resident& block = residents_[static_cast<std::size_t>(place)];
        --block.running;
        if (block.running == 0) {
          made_.ends.push_back(now_);
          start_next(now_);
        } else {
          release(residents_[static_cast<std::size_t>(place)], place);
        }
      }
    }
    has_ended_ = false;
    for (auto& turn : turn_) turn = 0;
  }

  /// Has the first-level cache serve an access. @return when the result is there
  double access(const Instruction& one, const Trace& trace, const Step& step, double& read,
                bool& is_long, Running& warp) {
    const double begin = std::max(now_, l1_free_);
    double cycles = 1;
    double done = 0;
    switch (one.operation) {
      case Operation::MATCH:
        cycles = std::max(1.0, gpu_.match * step.passes);
        done = begin + cycles + gpu_.shuffle_latency;
        break;
      case Operation::SHFL:
        cycles = gpu_.shuffle;
        done = begin + cycles + gpu_.shuffle_latency;
        break;
      case Operation::LDS:
      case Operation::STS:
        cycles = std::max({1.0, static_cast<double>(step.passes), one.bytes == 16 ? 2.0 : 1.0});
        done = begin + cycles + gpu_.shared_latency;
        break;
      case Operation::ATOMS:
        cycles = std::max<double>(one.has("POPC") ? gpu_.shared_increment : gpu_.shared_atomic,
                                  step.passes);
        done = begin + cycles + gpu_.shared_latency;
        break;
      case Operation::LDL:
      case Operation::STL:
        cycles = 1;
        done = begin + gpu_.l1_latency;
        break;
      default:
        is_long = true;
        done = access_global(one, trace, step, begin, cycles, warp);
        break;
    }
    l1_free_ = begin + cycles;
    made_.l1_busy += cycles;
    read = begin + cycles;
    return done;
  }

  double access_global(const Instruction& one, const Trace& trace, const Step& step, double begin,
                       double& cycles, Running& warp) {
    if (step.lanes == 0) {
      cycles = 1;
      return begin + gpu_.l1_latency;
    }
    const bool is_load = one.operation == Operation::LDG || one.operation == Operation::LD ||
                         one.operation == Operation::LDGSTS;
    const bool is_atomic = one.operation == Operation::RED || one.operation == Operation::REDG ||
                           one.operation == Operation::ATOM || one.operation == Operation::ATOMG;
    cycles = gpu_.l1_line * std::max<double>(step.lines, one.bytes >= 4 ? one.bytes / 4.0 : 1);
    if (one.operation == Operation::LDGSTS) cycles = std::max<double>(cycles, step.passes);
    double done = begin + cycles + gpu_.l1_latency;
    for (std::size_t i = step.first_line; i < std::size_t{step.first_line} + step.lines; ++i) {
      const Line& line = trace.lines[i];
      if (is_load) {
        const Cache::Found found = cache_.find(line.number, line.sectors);
        if (found.hits != 0) done = std::max(done, found.ready);
        const auto missing = static_cast<std::uint8_t>(line.sectors & ~found.hits);
        if (missing == 0) continue;
        const double arrived = fetch(begin, line.number, missing, warp.block, line.is_shared);
        cache_.add(line.number, missing, arrived);
        done = std::max(done, arrived);
      } else if (is_atomic) {
        done = std::max(done, atomic(begin, step, line));
      } else {
        write(begin, line, warp.block);
      }
    }
    // A queue of requests that is full holds up what comes next.
    cycles = std::max(cycles, l2_free_ - gpu_.l2_queue - begin);
    if (one.operation == Operation::LDGSTS) {
      warp.copies_done = std::max(warp.copies_done, done);
      return begin + cycles + gpu_.l1_latency;
    }
    return done;
  }

  /// Sectors from the L2 cache, some of which it has to get from DRAM.
  double fetch(double begin, std::uint64_t line, std::uint8_t missing, int block,
               bool is_shared) {
    const int sectors = std::popcount(missing);
    const double start = std::max(begin, l2_free_);
    double cycles = sectors * l2_cycles_;
    l2_free_ = start + cycles;
    made_.l2_busy += cycles;
    made_.l2_sectors += sectors;
    double done = start + cycles + gpu_.l2_latency;
    std::uint8_t& seen = seen_[line * 64 + static_cast<std::uint64_t>(block % 64)];
    owed_reads_ += std::popcount(static_cast<std::uint8_t>(missing & ~seen)) * misses_.of(line, is_shared);
    seen |= missing;
    const double missed = std::floor(owed_reads_);
    if (missed > 0) {
      owed_reads_ -= missed;
      done = std::max(done, from_dram(start, missed * read_cycles_, missed));
    }
    return done;
  }

  double from_dram(double begin, double cycles, double sectors) {
    use_dram(begin, cycles);
    made_.dram_busy += cycles;
    made_.dram_sectors += sectors;
    // What waits for DRAM occupies the L2 cache's queue.
    l2_free_ = std::max(l2_free_, dram_free_ - gpu_.l2_queue);
    const double load = std::min(dram_load_, 0.9);
    return dram_free_ + gpu_.dram_latency + gpu_.dram_wait * load / (1 - load);
  }

  void use_dram(double begin, double cycles) {
    const double start = std::max(begin, dram_free_);
    // The load is that of the last few thousand cycles.
    constexpr double memory = 4000;
    const double elapsed = std::max(start - dram_since_, 0.0);
    dram_load_ = dram_load_ * std::exp(-elapsed / memory) + cycles / memory;
    dram_since_ = std::max(dram_since_, start);
    dram_free_ = start + cycles;
  }

  void write(double begin, const Line& line, int block) {
    const int sectors = std::popcount(line.sectors);
    const int partial = sectors - std::popcount(line.whole);
    const double start = std::max(begin, l2_free_);
    const double cycles = (sectors - partial) * l2_cycles_ + partial * std::max(l2_cycles_, partial_cycles_);
    l2_free_ = start + cycles;
    made_.l2_busy += cycles;
    made_.l2_sectors += sectors;
    std::uint8_t& seen = written_[line.number * 64 + static_cast<std::uint64_t>(block % 64)];
    owed_writes_ += std::popcount(static_cast<std::uint8_t>(line.sectors & ~seen)) * misses_.of(line.number, line.is_shared);
    seen |= line.sectors;
    const double missed = std::floor(owed_writes_);
    if (missed > 0) {
      owed_writes_ -= missed;
      use_dram(start, missed * write_cycles_);
      made_.dram_busy += missed * write_cycles_;
      made_.dram_sectors += missed;
      l2_free_ = std::max(l2_free_, dram_free_ - gpu_.l2_queue);
    }
    last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
  }

  double atomic(double begin, const Step& step, const Line& line) {
    const double hertz = gpu_.gigahertz * 1e9;
    const bool is_contended = misses_.bytes_at(line.number) <= 65536;
    const double rate = !is_contended         ? gpu_.atomics
                        : step.distinct == 1 ? gpu_.atomics_same_word
                                             : gpu_.atomics_contended;
    const double cycles = neighbors_ * hertz / rate;
    const double start = std::max(begin, l2_free_);
    l2_free_ = start + cycles;
    made_.l2_busy += cycles;
    last_store_ = std::max(last_store_, l2_free_ + gpu_.l2_latency / 2);
    return start + cycles + gpu_.l2_latency;
  }

  const Function& function_;
  const std::vector<BlockTrace>& blocks_;
  const Gpu& gpu_;
  Cache cache_;
  Misses misses_;
  double neighbors_;
  int resident_;
  double l2_cycles_ = 0;
  double read_cycles_ = 0;
  double write_cycles_ = 0;
  double partial_cycles_ = 0;

  double half_ = 0;
  double now_ = 0;
  int live_ = 0;
  int started_ = 0;
  int next_quarter_ = 0;
  int first_quarter_ = 0;
  double launch_free_ = 0;
  double last_store_ = 0;
  double l1_free_ = 0;
  double l2_free_ = 0;
  double barrier_free_ = 0;
  double dram_free_ = 0;
  double dram_load_ = 0;   ///< which share of the time DRAM was busy lately
  double dram_since_ = 0;
  std::unordered_map<std::uint64_t, std::uint8_t> seen_;
  std::unordered_map<std::uint64_t, std::uint8_t> written_;
  double owed_reads_ = 0;
  double owed_writes_ = 0;
  std::array<std::vector<Running>, quarters> warps_;
  std::array<std::size_t, quarters> turn_{};
  std::array<std::array<double, 2>, quarters> banks_free_{};
  std::array<std::array<double, pipes>, quarters> pipes_{};
  std::vector<Resident> residents_;
  bool has_ended_ = false;
  std::vector<std::pair<Stall, double>> waiting_;
  Timing made_;
};

}  // namespace

Timing time_blocks(const Function& function, const std::vector<BlockTrace>& blocks, int resident,
                   const Gpu& gpu, double l1_bytes, const Misses& misses, double neighbors) {
  return Multiprocessor(function, blocks, resident, gpu, l1_bytes, misses, neighbors).run();
}

}  // namespace tilelab::estimator
