#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "estimator/code/instruction.h"
#include "estimator/execution/lanes.h"
#include "estimator/execution/launch.h"
#include "estimator/execution/local_memory.h"
#include "estimator/execution/memory.h"
#include "estimator/execution/shared_memory.h"
#include "estimator/execution/trace.h"
#include "estimator/execution/unknown_values.h"

namespace tilelab::estimator {

struct SortedOperands;

/// What the warps of a block share.
struct BlockState {
  const Function& function;
  const Launch& launch;
  Memory& global;
  SharedMemory shared;
  std::array<std::uint32_t, 3> index{};  ///< The block's place in the grid.
};

/// A warp, whose lanes execute machine code with its values.
class Warp {
 public:
  /// @param first_thread  the number of its first thread in the block
  Warp(BlockState& block, std::uint32_t first_thread);

  /// Executes until a barrier, the end, or until it executed this many steps in all. The trace
  /// keeps the first `kept` of them. Throws Unknown.
  void run(std::uint64_t most_steps, std::uint64_t kept);

  bool has_ended() const { return (alive_ & ~exited_) == 0; }

  Trace trace;

 private:
  // warp.cpp
  void step();
  void execute(const Instruction& one, Mask active, Step& made);
  void count_unknown_branch(const Instruction& one, std::int32_t at, Mask active, Mask here);
  void keep_only(std::uint64_t kept);

  // In instructions/, for each family
  void execute_control(const Instruction& one, Mask active, Mask here);
  void execute_move(const Instruction& one, const SortedOperands& sorted, Mask active);
  void execute_sum(const Instruction& one, const SortedOperands& sorted, Mask active);
  void execute_bits(const Instruction& one, const SortedOperands& sorted, Mask active);
  void execute_bytes(const Instruction& one, const SortedOperands& sorted, Mask active);
  void execute_comparison(const Instruction& one, const SortedOperands& sorted, Mask active);
  void execute_real(const Instruction& one, Mask active);
  void execute_double(const Instruction& one, Mask active);
  void execute_halves(const Instruction& one, Mask active);
  void execute_conversion(const Instruction& one, Mask active);
  void execute_across(const Instruction& one, Mask active, Step& made);
  void execute_access(const Instruction& one, Mask active, Step& made);

  // instructions/control.cpp
  void go(Mask lanes, std::int64_t to);
  Mask taken(const Instruction& branch, Mask active, Mask here) const;
  void wait_for(std::size_t meeting, Mask lanes);
  void meet();

  // instructions/sums.cpp
  void add(const Instruction& one, const SortedOperands& sorted, Mask active);
  void multiply(const Instruction& one, const SortedOperands& sorted, Mask active);
  void multiply_wide(const Instruction& one, const SortedOperands& sorted, Mask active);
  void shift_and_add(const Instruction& one, const SortedOperands& sorted, Mask active);

  // instructions/reals.cpp
  void execute_unusual_real(const Instruction& one, Mask active);

  // instructions/conversions.cpp
  void convert_integers(const Instruction& one, Mask active);
  void convert_to_integers(const Instruction& one, Mask active);

  // instructions/halves.cpp
  Reals half_reals(const Operand& from, std::size_t which, Precision precision) const;
  template <class F>
  void set_halves(const Instruction& one, Mask active, F&& value);

  // instructions/accesses.cpp
  WideLanes addresses(const Operand& from) const;
  Lanes near_addresses(const Operand& from) const;
  WideLanes shared_addresses(const Operand& from) const;
  template <class Space>
  void load(const Instruction& one, Mask active, const WideLanes& at, const Space& space);
  template <class Space>
  void store(const Instruction& one, Mask active, const WideLanes& at, Space& space);
  void access_global(const Instruction& one, Mask active, const Operand& place, Step& made);
  void access_shared(const Instruction& one, Mask active, const Operand& place, Step& made);
  void access_local(const Instruction& one, Mask active, const Operand& place, Step& made);
  template <class Space>
  void mark_stored(const Instruction& one, Mask active, const WideLanes& at, Space& space);
  void copy_to_shared(const Instruction& one, Mask active, Step& made);

  // instructions/atomics.cpp
  template <class Space>
  void update(const Instruction& one, Mask active, const Operand& place, const WideLanes& at,
              Space& space);
  void update_global(const Instruction& one, Mask active, const Operand& place, const WideLanes& at,
                     Step& made);
  void update_shared(const Instruction& one, Mask active, const Operand& place, const WideLanes& at,
                     Step& made);
  void swap_if_equal(const Instruction& one, Mask active, const WideLanes& at);

  // operand_values.cpp
  Lanes bits(const Operand& from) const;
  Lanes integer(const Operand& from) const;
  Lanes real(const Operand& from) const;
  Mask predicate(const Operand& from) const;
  WideLanes wide(const Operand& from) const;
  WideLanes wide_bits(const Operand& from) const;
  Reals reals(const Operand& from, Precision precision) const;
  std::uint32_t scalar(const Operand& from) const;
  std::uint32_t uniform(int index) const;
  std::uint64_t constant(std::uint64_t place) const;
  std::uint64_t place_of(const Operand& constant) const;
  std::uint32_t special(Special which, std::size_t lane) const;
  void set(const Operand& to, const Lanes& values, Mask active);
  void set_wide(const Operand& to, const WideLanes& values, Mask active);
  void set_reals(const Operand& to, Precision precision, const Reals& values, Mask active);
  void set_predicate(const Operand& to, Mask values, Mask active);
  template <class F>
  void set_each(const Operand& to, Mask active, F&& value) {
    Lanes made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = value(i);
    set(to, made, active);
  }

  BlockState& block_;
  std::uint32_t first_thread_;
  Mask alive_ = 0;  ///< lanes that have a thread
  Mask exited_ = 0;
  Mask waiting_ = 0;  ///< lanes that wait where their paths meet again
  bool at_barrier_ = false;
  std::array<std::int32_t, 32> counters_{};  ///< the next instruction of each lane
  std::array<Mask, 17> meetings_{};          ///< which lanes meet, by the number of BSSY's barrier
  std::array<Mask, 17> arrived_{};           ///< those that came already, and wait
  std::array<Lanes, 256> registers_{};
  std::array<std::uint32_t, 64> uniform_{};
  std::array<Mask, 8> predicates_{};
  std::array<bool, 8> uniform_predicates_{};
  LocalMemory local_;
  UnknownValues unknown_;
  Mask unknown_loaded_ = 0;  ///< lanes that the instruction at hand has load an unknown value
  std::unordered_map<std::int32_t, std::uint8_t> ways_;  ///< that a branch on unknown values went
};

}  // namespace tilelab::estimator
