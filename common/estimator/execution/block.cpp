#include "estimator/execution/block.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "estimator/execution/shared_memory.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

// From compute capability 9.0 on, the first bytes of shared memory belong to the system.
constexpr std::size_t reserved_bytes = 0x400;

std::size_t shared_bytes(const Work& work) {
  return reserved_bytes +
         static_cast<std::size_t>(work.kernel.shared_bytes + work.launch.dynamic_shared_bytes);
}

std::array<std::uint32_t, 3> index_of(std::uint64_t number, const Launch& launch) {
  const auto& grid = launch.grid;
  return {static_cast<std::uint32_t>(number % grid[0]),
          static_cast<std::uint32_t>(number / grid[0] % grid[1]),
          static_cast<std::uint32_t>(number / grid[0] / grid[1])};
}

/// The warps of a block on their way.
class RunningBlock {
 public:
  RunningBlock(const Work& work, std::uint64_t number, const Limits& limits)
      : limits_(limits),
        state_{work.function, work.launch, work.memory, SharedMemory(shared_bytes(work)),
               index_of(number, work.launch)} {
    warps_.reserve(work.launch.warps());
    for (std::uint32_t first = 0; first < work.launch.threads(); first += 32) {
      warps_.emplace_back(state_, first);
    }
  }
  // The warps refer to the state.
  RunningBlock(const RunningBlock&) = delete;
  RunningBlock& operator=(const RunningBlock&) = delete;

  /// Runs all warps from barrier to barrier, until each has executed this many steps.
  void run(std::uint64_t steps) {
    for (bool is_running = true; is_running;) {
      is_running = false;
      for (Warp& it : warps_) {
        it.run(steps, limits_.kept);
        is_running |= !it.has_ended() && it.trace.executed < steps;
      }
    }
  }

  /// Runs what the traces keep.
  void run_kept() { run(std::min(limits_.most_steps, limits_.kept)); }

  /// Runs the last warp that has not ended to its end, and takes the others to execute as much.
  void run_last() {
    const auto last = std::find_if(warps_.rbegin(), warps_.rend(),
                                   [](const Warp& it) { return !it.has_ended(); });
    if (last == warps_.rend()) return;
    while (!last->has_ended() && last->trace.executed < limits_.most_steps) {
      last->run(limits_.most_steps, limits_.kept);
    }
    for (Warp& it : warps_) {
      if (it.has_ended()) continue;
      it.trace.executed = std::max(it.trace.executed, last->trace.executed);
    }
  }

  /// Runs one warp through all barriers. @return its steps, if it ends
  std::optional<double> run_only(std::uint32_t number) {
    Warp& warp = warps_[number];
    while (!warp.has_ended() && warp.trace.executed < limits_.most_steps) {
      warp.run(limits_.most_steps, limits_.kept);
    }
    if (!warp.has_ended()) return std::nullopt;
    return static_cast<double>(warp.trace.executed);
  }

  void run_all() { run(limits_.most_steps); }

  bool has_ended() const {
    return std::ranges::all_of(warps_, [](const Warp& it) { return it.has_ended(); });
  }

  bool has_unknown_branches() const {
    return std::ranges::any_of(warps_,
                               [](const Warp& it) { return it.trace.unknown_branches > 0; });
  }

  /// For each instruction, whether it accessed global memory where nobody knows.
  std::vector<bool> unknown_addresses() const {
    std::vector<bool> made(state_.function.code.size());
    for (const Warp& warp : warps_) {
      for (const Step& it : warp.trace.steps) {
        if (it.is_unknown) made[static_cast<std::size_t>(it.instruction)] = true;
      }
    }
    return made;
  }

  /// Which share of the lines that were accessed nobody knows.
  double share_of_unknown_lines() const {
    double unknown = 0, all = 0;
    for (const Warp& warp : warps_) {
      for (const Step& it : warp.trace.steps) {
        all += it.lines;
        if (it.is_unknown) unknown += it.lines;
      }
    }
    return all == 0 ? 0 : unknown / all;
  }

  BlockTrace take_traces() {
    BlockTrace made;
    for (Warp& it : warps_) made.push_back(std::move(it.trace));
    return made;
  }

 private:
  const Limits limits_;
  BlockState state_;
  std::vector<Warp> warps_;
};

/// While it lives, more values in memory are unknown.
class Doubtful {
 public:
  Doubtful(Memory& memory, Doubt doubt) : memory_(memory) { memory.doubt = doubt; }
  ~Doubtful() { memory_.doubt = Doubt::computed; }
  Doubtful(const Doubtful&) = delete;
  Doubtful& operator=(const Doubtful&) = delete;

 private:
  Memory& memory_;
};

}  // namespace

BlockTrace execute_block(const Work& work, std::uint64_t number, const Limits& limits) {
  RunningBlock block(work, number, limits);
  block.run_kept();
  block.run_last();
  return block.take_traces();
}

FirstBlock execute_first_block(const Work& work, std::uint64_t number, const Limits& limits) {
  const Memory before = work.memory;
  const auto probe = [&](Doubt doubt) {
    auto made = std::make_unique<RunningBlock>(work, number, limits);
    const Doubtful doubtful(work.memory, doubt);
    made->run_kept();
    return made;
  };
  FirstBlock made;
  auto block = probe(Doubt::all);
  made.follows_data = block->unknown_addresses();
  const bool has_unknown_addresses = std::ranges::count(made.follows_data, true) > 0;
  const bool has_unknown_branches = block->has_unknown_branches();
  if (has_unknown_addresses) {
    work.memory = before;
    if (probe(Doubt::meaningless)->share_of_unknown_lines() > most_unknown_lines) {
      throw unknown_addresses();
    }
  }
  if (has_unknown_addresses || has_unknown_branches) {
    work.memory = before;
    block = probe(Doubt::computed);
  }
  if (has_unknown_branches) {
    block->run_all();
  } else {
    block->run_last();
  }
  made.traces = block->take_traces();
  return made;
}

std::optional<double> measure_warp(const Work& work, std::uint64_t number, std::uint32_t warp,
                                   std::uint64_t most_steps) {
  RunningBlock block(work, number, {most_steps, 0});
  return block.run_only(warp);
}

std::uint64_t execute_whole_block(const Work& work, std::uint64_t number,
                                  std::uint64_t most_steps) {
  RunningBlock block(work, number, {most_steps, 0});
  block.run_all();
  if (!block.has_ended()) throw Unknown("its blocks do not end, or take too long to be compared");
  std::uint64_t sum = 0;
  for (const Trace& it : block.take_traces()) sum += it.executed;
  return sum;
}

}  // namespace tilelab::estimator
