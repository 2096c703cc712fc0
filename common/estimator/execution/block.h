#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "estimator/code/instruction.h"
#include "estimator/execution/launch.h"
#include "estimator/execution/memory.h"
#include "estimator/execution/trace.h"

namespace tilelab::estimator {

/// How much of a warp is executed.
struct Limits {
  std::uint64_t most_steps = 0;  ///< How many steps a warp executes at most.
  std::uint64_t kept = 0;        ///< How many of them its trace keeps.
};

/// A kernel, one launch of it, and the memory that it works on.
struct Work {
  const Function& function;
  const Launch& launch;
  const Kernel& kernel;
  Memory& memory;
};

/// Executes a block of a launch. Steps beyond those that are kept are only counted, and one warp's
/// count is taken for all.
/// @param number  the block's number, with x running fastest
BlockTrace execute_block(const Work& work, std::uint64_t number, const Limits& limits);

/// A block, and what it shows of all others.
struct FirstBlock {
  BlockTrace traces;
  /// For each instruction, whether it accesses global memory where data say.
  std::vector<bool> follows_data;
};

/// The same. If the kernel's path depends on data, each warp counts its own steps.
/// Throws Unknown if the addresses depend on data that nobody has.
FirstBlock execute_first_block(const Work& work, std::uint64_t number, const Limits& limits);

/// Executes one warp of a block to its end. None if it does not end within this many steps.
/// @param warp  its number in the block
/// @return      its steps
std::optional<double> measure_warp(const Work& work, std::uint64_t number, std::uint32_t warp,
                                   std::uint64_t most_steps);

/// Executes all warps to their ends, for what they store.
/// @param most_steps  of each warp
/// @return            the steps of all warps
/// Throws Unknown if a warp does not end within them.
std::uint64_t execute_whole_block(const Work& work, std::uint64_t number, std::uint64_t most_steps);

}  // namespace tilelab::estimator
