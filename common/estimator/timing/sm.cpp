#include "estimator/timing/sm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "estimator/timing/l1_unit.h"
#include "estimator/timing/running_warp.h"
#include "estimator/timing/sub_partition.h"

namespace tilelab::estimator {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// No launch that is worth an estimate takes longer; at 2 GHz they are 0.2 s.
constexpr double most_cycles = 4e8;
// The result of an instruction without a latency of its own.
constexpr double other_latency = 12;

double count_steps(const std::vector<BlockTrace>& blocks) {
  double sum = 0;
  for (const BlockTrace& block : blocks) {
    for (const Trace& trace : block) sum += static_cast<double>(trace.steps.size());
  }
  return sum;
}

bool waits_at_barrier(const Instruction& one) {
  return one.operation == Operation::BAR && !one.has("ARV");
}

/// What an instruction waits for whose pipe is busy.
Stall throttle_of(const Instruction& one) {
  if (one.pipe != Pipe::lsu) return Stall::math_pipe_throttle;
  const bool is_global = one.operation == Operation::LDG || one.operation == Operation::STG ||
                         one.operation == Operation::LDGSTS;
  return is_global ? Stall::lg_throttle : Stall::mio_throttle;
}

class Multiprocessor {
 public:
  Multiprocessor(const Function& function, const std::vector<BlockTrace>& blocks,
                 const Setup& setup, const Gpu& gpu, const Misses& misses)
      : function_(function),
        blocks_(blocks),
        setup_(setup),
        gpu_(gpu),
        memory_(gpu, misses, setup.neighbors),
        l1_(gpu, setup.cache_bytes, setup.resident_blocks, memory_),
        half_(std::floor(count_steps(blocks) / 2)) {
    made_.waits.resize(function.code.size());
  }

  Timing run() {
    for (int i = 0; i < setup_.resident_blocks; ++i) start_block(0);
    while (live_warps_ > 0 && now_ <= most_cycles) cycle();
    const Traffic& traffic = memory_.traffic();
    made_.cycles = std::max({now_, memory_.last_store(), traffic.busiest()});
    made_.l1_busy = l1_.busy();
    made_.local_misses = l1_.local_misses();
    made_.local_stores = l1_.local_stores();
    made_.traffic = traffic;
    return std::move(made_);
  }

 private:
  /// A block that was started. Its number is its place among the blocks.
  struct Block {
    int running = 0;  ///< warps
    int waiting = 0;  ///< warps at a barrier
  };

  /// A sub-partition's warps, and which of them is the first to have its turn.
  struct Schedule {
    std::vector<RunningWarp> warps;
    std::size_t turn = 0;
  };

  /// Starts the next block, if there is one. The whole GPU starts one after the other.
  void start_block(double at) {
    const std::size_t number = started_.size();
    if (number >= blocks_.size()) return;
    const BlockTrace& block = blocks_[number];
    launch_free_ = std::max(at, launch_free_) + gpu_.block_launch * setup_.neighbors;
    started_.push_back({static_cast<int>(block.size()), 0});
    double begin = launch_free_ + gpu_.block_latency;
    for (const Trace& trace : block) {
      begin += gpu_.block_warp_latency;
      schedules_[next_sub_partition_].warps.emplace_back(function_, trace, static_cast<int>(number),
                                                         begin);
      next_sub_partition_ = (next_sub_partition_ + 1) % sub_partitions;
      ++live_warps_;
    }
  }

  /// Has each sub-partition issue, and goes to the next cycle in which any can.
  void cycle() {
    bool has_issued = false;
    causes_.clear();
    double soonest = never;
    PerStall states{};
    // Each sub-partition is the first to reach the L1 unit's queue in turn.
    first_sub_partition_ = (first_sub_partition_ + 1) % sub_partitions;
    for (std::size_t q = 0; q < sub_partitions; ++q) {
      has_issued |= issue((first_sub_partition_ + q) % sub_partitions, states, soonest);
    }
    const double next = has_issued ? now_ + 1 : std::max(now_ + 1, std::ceil(soonest));
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] > 0) made_.states[i] += states[i] * (next - now_);
    }
    for (const std::int32_t it : causes_) made_.waits[static_cast<std::size_t>(it)] += next - now_;
    now_ = next;
    if (has_ended_) take_out_ended();
  }

  /// Has one warp of a sub-partition issue an instruction: the first in turn that can.
  /// @param states   counts the warps in each state
  /// @param soonest  becomes the cycle in which another can
  bool issue(std::size_t sub_partition, PerStall& states, double& soonest) {
    Schedule& schedule = schedules_[sub_partition];
    const std::size_t count = schedule.warps.size();
    std::size_t chosen = count;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (schedule.turn + k) % count;
      const RunningWarp& warp = schedule.warps[i];
      if (warp.at_barrier) {
        ++states[place_of(Stall::barrier)];
        causes_.push_back(warp.last_instruction());
        continue;
      }
      const Obstacle obstacle = obstacle_of(warp, sub_partitions_[sub_partition]);
      if (obstacle.until > now_) {
        if (warp.has_begun()) {
          ++states[place_of(obstacle.why)];
          causes_.push_back(obstacle.cause);
        }
        soonest = std::min(soonest, obstacle.until);
      } else if (chosen == count) {
        chosen = i;
        ++states[place_of(Stall::selected)];
      } else {
        ++states[place_of(Stall::not_selected)];
        soonest = std::min(soonest, now_ + 1);
      }
    }
    if (chosen == count) return false;
    schedule.turn = chosen;
    perform(schedule.warps[chosen], sub_partitions_[sub_partition]);
    ++made_.issued;
    if (made_.issued == half_) made_.half_cycles = now_;
    return true;
  }

  Obstacle obstacle_of(const RunningWarp& warp, const SubPartition& sub_partition) const {
    const Instruction& one = warp.instruction();
    Obstacle made = warp.dependencies();
    const std::int32_t itself = warp.step().instruction;
    made.add(sub_partition.banks_free(one), Stall::dispatch_stall, itself);
    const double free =
        one.pipe == Pipe::lsu ? l1_.queue_full_until() : sub_partition.pipe_free(one);
    made.add(free, throttle_of(one), itself);
    return made;
  }

  void perform(RunningWarp& warp, SubPartition& sub_partition) {
    const Instruction& one = warp.instruction();
    sub_partition.issue(now_, one);
    warp.issue(now_, serve(warp, one));
    if (waits_at_barrier(one)) arrive(warp);
    if (warp.has_ended()) has_ended_ = true;
  }

  Served serve(const RunningWarp& warp, const Instruction& one) {
    if (one.pipe == Pipe::lsu) {
      return l1_.serve(now_, one, warp.trace(), warp.step(), warp.block);
    }
    Served made;
    made.read = now_;
    const bool is_constant = one.operation == Operation::LDC || one.operation == Operation::ULDC;
    // What lanes compute together takes as long as a shuffle.
    made.done = now_ + (one.pipe == Pipe::xu                ? gpu_.xu_latency
                        : is_constant                       ? gpu_.constant_latency
                        : one.operation == Operation::REDUX ? gpu_.shuffle_latency
                        : one.pipe == Pipe::adu             ? gpu_.special_latency
                                                            : other_latency);
    return made;
  }

  void arrive(RunningWarp& warp) {
    warp.at_barrier = true;
    barrier_free_ = std::max(now_, barrier_free_) + gpu_.barrier_arrival;
    ++started_[static_cast<std::size_t>(warp.block)].waiting;
    release(warp.block);
  }

  /// Opens a block's barrier if all of its warps have come.
  void release(int number) {
    Block& block = started_[static_cast<std::size_t>(number)];
    if (block.waiting == 0 || block.waiting < block.running) return;
    block.waiting = 0;
    for (Schedule& schedule : schedules_) {
      for (RunningWarp& it : schedule.warps) {
        if (it.block != number || !it.at_barrier) continue;
        it.at_barrier = false;
        it.ready = std::max(now_, barrier_free_) + gpu_.barrier_latency;
      }
    }
  }

  /// Takes out warps that are through, and starts blocks in place of whole ones.
  void take_out_ended() {
    for (Schedule& schedule : schedules_) {
      auto& warps = schedule.warps;
      for (std::size_t i = 0; i < warps.size();) {
        if (!warps[i].has_ended() || warps[i].at_barrier) {
          ++i;
          continue;
        }
        const int number = warps[i].block;
        warps[i] = std::move(warps.back());
        warps.pop_back();
        --live_warps_;
        end_warp(number);
      }
      schedule.turn = 0;
    }
    has_ended_ = false;
  }

  void end_warp(int number) {
    Block& block = started_[static_cast<std::size_t>(number)];
    --block.running;
    if (block.running > 0) {
      release(number);
      return;
    }
    made_.ends.push_back(now_);
    start_block(now_);
  }

  const Function& function_;
  const std::vector<BlockTrace>& blocks_;
  const Setup setup_;
  const Gpu& gpu_;
  MemorySystem memory_;
  L1Unit l1_;
  const double half_;  ///< of all instructions

  double now_ = 0;
  std::vector<Block> started_;
  int live_warps_ = 0;
  double launch_free_ = 0;
  std::size_t next_sub_partition_ = 0;   ///< gets the next warp
  std::size_t first_sub_partition_ = 0;  ///< issues first
  std::array<Schedule, sub_partitions> schedules_;
  std::array<SubPartition, sub_partitions> sub_partitions_{SubPartition(gpu_), SubPartition(gpu_),
                                                           SubPartition(gpu_), SubPartition(gpu_)};
  std::vector<std::int32_t> causes_;  ///< what the warps wait for in this cycle
  double barrier_free_ = 0;
  bool has_ended_ = false;
  Timing made_;
};

}  // namespace

Timing time_blocks(const Function& function, const std::vector<BlockTrace>& blocks,
                   const Setup& setup, const Gpu& gpu, const Misses& misses) {
  return Multiprocessor(function, blocks, setup, gpu, misses).run();
}

}  // namespace tilelab::estimator
