#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "estimator/instruction.h"
#include "estimator/launch.h"
#include "estimator/memory.h"
#include "estimator/trace.h"

namespace tilelab::estimator {

/// A kernel does something that the estimator does not know. what() says what.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Lanes = std::array<std::uint32_t, 32>;
using Mask = std::uint32_t;

/// What the warps of a block share.
struct BlockState {
  const Function& function;
  const Launch& launch;
  Memory& global;
  std::array<std::uint32_t, 3> block{};
  std::vector<std::uint8_t> shared;
  std::vector<bool> unknown_shared{};  ///< for each word, whether nobody knows its value
};

/// A warp, whose lanes execute machine code with its values.
class Warp {
 public:
  Warp(BlockState& block, std::uint32_t first_thread);

  /// Executes until a barrier, the end, or so many steps in all. The trace keeps the first of them.
  void run(std::uint64_t most_steps, std::uint64_t kept);

  bool has_ended() const { return (alive_ & ~exited_) == 0; }
  Trace trace;

 private:
  void step();
  void spread_unknown(const Instruction& one, Mask active);
  Mask unknown_sources(const Instruction& one) const;
  void execute(const Instruction& one, Mask active, Step& made);
  bool execute_control(const Instruction& one, Mask active, Mask here);
  void execute_uniform(const Instruction& one);
  bool execute_integer(const Instruction& one, Mask active);
  bool execute_float(const Instruction& one, Mask active);
  bool execute_across(const Instruction& one, Mask active, Mask here, Step& made);
  bool execute_access(const Instruction& one, Mask active, Step& made);
  void access_global(const Instruction& one, Mask active, const Operand& place, Step& made);
  void access_shared(const Instruction& one, Mask active, const Operand& place, Step& made);
  void store_smaller(std::uint64_t address, std::uint32_t low, std::uint32_t high);
  void swap_if_equal(const Instruction& one, Mask active,
                     const std::array<std::uint64_t, 32>& at);
  void copy_to_shared(const Instruction& one, Mask active, Step& made);

  Lanes bits(const Operand& from) const;
  Lanes integer(const Operand& from) const;
  Lanes real(const Operand& from) const;
  Mask predicate(const Operand& from) const;
  std::array<std::uint64_t, 32> wide(const Operand& from) const;
  std::uint32_t scalar(const Operand& from) const;
  std::uint64_t constant(std::uint64_t place) const;
  std::uint32_t special(Special which, std::uint32_t lane) const;
  std::array<std::uint64_t, 32> addresses(const Operand& from, bool is_wide) const;

  void set(const Operand& to, const Lanes& values, Mask active);
  void set_wide(const Operand& to, const std::array<std::uint64_t, 32>& values, Mask active);
  void set_predicate(const Operand& to, Mask values, Mask active);

  bool is_unknown_shared(std::uint64_t address) const;
  void set_unknown_shared(std::uint64_t address, bool is_unknown);
  std::uint32_t load(std::uint64_t address, int bytes, bool is_shared) const;
  void store(std::uint64_t address, std::uint32_t value, int bytes, bool is_shared);

  BlockState& block_;
  std::uint32_t first_thread_;
  Mask alive_ = 0;    ///< lanes that have a thread
  Mask exited_ = 0;
  Mask waiting_ = 0;  ///< lanes that wait where their paths meet again
  bool at_barrier_ = false;
  std::array<std::int32_t, 32> counters_{};  ///< the next instruction of each lane
  std::array<Mask, 17> meeting_{};
  std::array<Lanes, 256> registers_{};
  std::array<std::uint32_t, 64> uniform_{};
  std::array<Mask, 8> predicates_{};
  std::array<bool, 8> uniform_predicates_{};
  // Of which lanes nobody knows the values.
  std::array<Mask, 256> unknown_registers_{};
  std::array<Mask, 64> unknown_uniform_{};
  std::array<Mask, 8> unknown_predicates_{};
  std::array<Mask, 8> unknown_uniform_predicates_{};
  Mask unknown_loaded_ = 0;
  std::unordered_map<std::int32_t, std::uint8_t> ways_;  ///< of branches that depend on them
};

}  // namespace tilelab::estimator
