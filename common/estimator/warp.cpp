#include "estimator/warp.h"

#include <algorithm>
#include <bit>

namespace tilelab::estimator {

namespace {

constexpr Mask all_lanes = ~Mask{0};
constexpr std::size_t whole_warp = 16;  // where lanes meet that no BSSY names
constexpr std::uint64_t parameters_at = 0x210;  // in bank 0, from compute capability 9.0 on

}  // namespace

Warp::Warp(BlockState& block, std::uint32_t first_thread)
    : block_(block), first_thread_(first_thread) {
  const std::uint32_t threads = std::min(32U, block.launch.threads() - first_thread);
  alive_ = threads == 32 ? all_lanes : (Mask{1} << threads) - 1;
  predicates_[7] = all_lanes;
  uniform_predicates_[7] = true;
}

void Warp::run(std::uint64_t most_steps, std::uint64_t kept) {
  at_barrier_ = false;
  while (!has_ended() && !at_barrier_ && trace.executed < most_steps) {
    step();
    ++trace.executed;
    if (trace.steps.size() > kept) {
      if (trace.later.empty()) trace.later.resize(block_.function.code.size());
      ++trace.later[static_cast<std::size_t>(trace.steps.back().instruction)];
      trace.lines.resize(std::min(trace.lines.size(), std::size_t{trace.steps.back().first_line}));
      trace.steps.pop_back();
    }
  }
  trace.is_complete = has_ended();
}

/// The lanes with the lowest counter go first, so that paths meet again as early as possible.
void Warp::step() {
  const Mask ready = alive_ & ~exited_ & ~waiting_;
  if (ready == 0) throw Unknown("threads of a warp wait for each other forever");
  std::int32_t lowest = INT32_MAX;
  Mask here = 0;
  for (Mask left = ready; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (counters_[lane] < lowest) lowest = counters_[lane], here = 0;
    if (counters_[lane] == lowest) here |= Mask{1} << lane;
  }
  if (static_cast<std::size_t>(lowest) >= block_.function.code.size()) {
    throw Unknown("execution runs past the end of the kernel");
  }
  const Instruction& one = block_.function.code[static_cast<std::size_t>(lowest)];
  const Mask active =
      here & (one.guard.kind == Kind::none ? all_lanes : predicate(one.guard));
  Step made;
  made.first_line = static_cast<std::uint32_t>(trace.lines.size());
  made.instruction = lowest;
  made.lanes = static_cast<std::uint16_t>(std::popcount(active));
  if (one.pipe == Pipe::cbu && (unknown_sources(one) & here) != 0) {
    // What always goes the same way, like the path for a rare argument, decides nothing.
    std::uint8_t& ways = ways_[lowest];
    ways |= active != 0 ? 1U : 0U;
    ways |= active != here ? 2U : 0U;
    if (ways == 3) ++trace.guessed;
  }
  if (!execute_control(one, active, here)) {
    unknown_loaded_ = 0;
    execute(one, active, made);
    spread_unknown(one, active);
    for (Mask left = here; left != 0; left &= left - 1) {
      counters_[static_cast<std::uint32_t>(std::countr_zero(left))] = lowest + 1;
    }
  }
  trace.steps.push_back(made);
}

/// The lanes for which an operand that is read, or the guard, has a value that nobody knows.
Mask Warp::unknown_sources(const Instruction& one) const {
  Mask made = 0;
  const auto add = [&](const Operand& it) {
    const auto at = static_cast<std::size_t>(it.index);
    if (it.kind == Kind::reg && it.index < 255) made |= unknown_registers_[at];
    if (it.kind == Kind::memory && it.index < 255) made |= unknown_registers_[at];
    if (it.kind == Kind::uniform && it.index < 63) made |= unknown_uniform_[at];
    if (it.kind == Kind::predicate) made |= unknown_predicates_[at];
    if (it.kind == Kind::uniform_predicate) made |= unknown_uniform_predicates_[at];
  };
  const bool writes = one.pipe != Pipe::cbu && one.operation != Operation::STG &&
                      one.operation != Operation::STS && one.operation != Operation::ST;
  for (std::size_t i = writes ? 1 : 0; i < one.operands.size(); ++i) add(one.operands[i]);
  if (one.guard.kind != Kind::none) add(one.guard);
  return made;
}

/// What is made from values that nobody knows is unknown itself.
void Warp::spread_unknown(const Instruction& one, Mask active) {
  const Mask from = unknown_sources(one) | unknown_loaded_;
  const auto mark = [&](Mask& into) { into = (into & ~active) | (from & active); };
  const bool is_wide = one.has("WIDE") || one.has("64");
  const int words = one.pipe == Pipe::lsu ? std::max(1, one.bytes / 4) : is_wide ? 2 : 1;
  for (std::size_t i = 0; i < one.operands.size() && i < 3; ++i) {
    const Operand& it = one.operands[i];
    const auto at = static_cast<std::size_t>(it.index);
    if (it.kind == Kind::predicate && it.index < 7) {
      mark(unknown_predicates_[at]);
    } else if (it.kind == Kind::uniform_predicate && it.index < 7) {
      mark(unknown_uniform_predicates_[at]);
    } else if (it.kind == Kind::reg && it.index < 255) {
      for (int w = 0; w < words && it.index + w < 255; ++w) {
        mark(unknown_registers_[at + static_cast<std::size_t>(w)]);
      }
      return;
    } else if (it.kind == Kind::uniform && it.index < 63) {
      unknown_uniform_[at] = (from & active) != 0 ? all_lanes : 0;
      return;
    } else if (it.kind != Kind::predicate && it.kind != Kind::uniform_predicate) {
      return;
    }
  }
}

void Warp::execute(const Instruction& one, Mask active, Step& made) {
  if (execute_access(one, active, made)) return;
  if (active == 0 && one.operation != Operation::VOTEU) return;
  if (execute_integer(one, active)) return;
  if (execute_float(one, active)) return;
  if (execute_across(one, active, active, made)) return;
  switch (one.operation) {
    case Operation::NOP:
    case Operation::MEMBAR:
    case Operation::ERRBAR:
    case Operation::CGAERRBAR:
    case Operation::CCTL:
    case Operation::LDGDEPBAR:
    case Operation::DEPBAR:
    case Operation::NANOSLEEP:
    case Operation::YIELD:
    case Operation::ENDCOLLECTIVE:
      return;
    default:
      throw Unknown("the instruction " + one.text);
  }
}

/// Executes what moves lanes elsewhere. @return whether the instruction was of that kind
bool Warp::execute_control(const Instruction& one, Mask active, Mask here) {
  const auto go = [&](Mask lanes, std::int64_t to) {
    for (; lanes != 0; lanes &= lanes - 1) {
      counters_[static_cast<std::uint32_t>(std::countr_zero(lanes))] = static_cast<std::int32_t>(to);
    }
  };
  const std::int64_t next = counters_[static_cast<std::uint32_t>(std::countr_zero(here))] + 1;
  switch (one.operation) {
    case Operation::BRA: {
      const Operand& target = one.operands.back();
      Mask taken = active;
      if (one.has("DIV")) {
        // A branch to code for a warp whose lanes are apart. Here they wait for each other instead.
        go(here, next);
        meeting_[whole_warp] = alive_;
        waiting_ |= here;
        break;
      }
      if (one.has("ANY")) {
        taken = active != 0 ? here : 0;
      } else if (one.operands.size() > 1) {
        for (std::size_t i = 0; i + 1 < one.operands.size(); ++i) {
          const Kind kind = one.operands[i].kind;
          if (kind == Kind::predicate || kind == Kind::uniform_predicate) {
            taken &= predicate(one.operands[i]);
          }
        }
      }
      go(here & ~taken, next);
      go(taken, target.value);
      return true;
    }
    case Operation::EXIT:
      go(here, next);
      exited_ |= active;
      break;
    case Operation::BAR:
      go(here, next);
      if (one.has("RED")) throw Unknown("the instruction " + one.text);
      at_barrier_ = !one.has("ARV");
      return true;
    case Operation::BSSY:
      meeting_[static_cast<std::size_t>(one.operands[0].index & 15)] = here;
      go(here, next);
      return true;
    case Operation::BSYNC: {
      go(here, next);
      const auto at = static_cast<std::size_t>(one.operands[0].index & 15);
      waiting_ |= active & meeting_[at];
      break;
    }
    case Operation::CALL:
      go(here & ~active, next);
      go(active, one.operands.back().value);
      return true;
    case Operation::RET: {
      const Lanes to = bits(one.operands[0]);
      go(here, next);
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        counters_[lane] = static_cast<std::int32_t>(to[lane] / 16);
      }
      return true;
    }
    case Operation::WARPSYNC: {
      go(here, next);
      if (one.has("COLLECTIVE")) return true;
      const bool names_lanes = !one.has("ALL") && !one.operands.empty();
      meeting_[whole_warp] = names_lanes ? scalar(one.operands[0]) & alive_ : alive_;
      waiting_ |= active & meeting_[whole_warp];
      break;
    }
    default:
      return false;
  }
  // All lanes that have not ended may have come to a meeting place.
  for (const Mask meeting : meeting_) {
    const Mask expected = meeting & ~exited_;
    if (meeting != 0 && expected != 0 && (expected & ~waiting_) == 0) waiting_ &= ~expected;
  }
  return true;
}

std::uint32_t Warp::special(Special which, std::uint32_t lane) const {
  const std::uint32_t thread = first_thread_ + lane;
  const auto& size = block_.launch.block;
  switch (which) {
    case Special::thread_x:
      return thread % size[0];
    case Special::thread_y:
      return thread / size[0] % size[1];
    case Special::thread_z:
      return thread / size[0] / size[1];
    case Special::block_x:
      return block_.block[0];
    case Special::block_y:
      return block_.block[1];
    case Special::block_z:
      return block_.block[2];
    case Special::lane:
      return lane;
    case Special::lanes_below:
      return (Mask{1} << lane) - 1;
    case Special::zero:
    case Special::unknown:
      return 0;
  }
  return 0;
}

/// 64 bits of constant memory. The upper 32 bits of the place are the bank.
std::uint64_t Warp::constant(std::uint64_t place) const {
  const auto bank = place >> 32U;
  const auto offset = place & 0xffffffffU;
  const Launch& launch = block_.launch;
  if (bank == 4) return 0x7e0000000000U + (offset << 16U);  // where a variable would lie
  if (bank != 0) return 0x3f0000003f000000U;                // a program's own constants: 0.5
  const auto word = [&](std::uint64_t at) -> std::uint32_t {
    if (at < 12) return launch.block[at / 4];
    if (at < 24) return launch.grid[(at - 12) / 4];
    if (at == 0x28) return 0xfff000;  // the stack
    if (at >= parameters_at && at + 4 <= parameters_at + launch.parameters.size()) {
      std::uint32_t value = 0;
      std::memcpy(&value, &launch.parameters[at - parameters_at], 4);
      return value;
    }
    return 0;
  };
  return word(offset) | std::uint64_t{word(offset + 4)} << 32U;
}

Lanes Warp::bits(const Operand& from) const {
  Lanes made{};
  switch (from.kind) {
    case Kind::reg:
      if (from.index < 255) made = registers_[static_cast<std::size_t>(from.index)];
      break;
    case Kind::uniform:
    case Kind::number:
    case Kind::constant:
      made.fill(scalar(from));
      break;
    case Kind::special:
      for (std::uint32_t lane = 0; lane < 32; ++lane) made[lane] = special(from.special, lane);
      break;
    default:
      break;
  }
  return made;
}

std::uint32_t Warp::scalar(const Operand& from) const {
  switch (from.kind) {
    case Kind::uniform:
      return from.index < 63 ? uniform_[static_cast<std::size_t>(from.index)] : 0;
    case Kind::number:
      return static_cast<std::uint32_t>(from.value);
    case Kind::constant: {
      const std::uint32_t more = from.index < 255 ? registers_[static_cast<std::size_t>(from.index)][0] : 0;
      const std::uint32_t uniform =
          from.uniform_index < 63 ? uniform_[static_cast<std::size_t>(from.uniform_index)] : 0;
      return static_cast<std::uint32_t>(
          constant(static_cast<std::uint64_t>(from.value) + more + uniform));
    }
    case Kind::special:
      return special(from.special, 0);
    case Kind::reg:
      return from.index < 255
                 ? registers_[static_cast<std::size_t>(from.index)]
                             [static_cast<std::size_t>(std::countr_zero(alive_ & ~exited_ ? alive_ & ~exited_ : 1U))]
                 : 0;
    default:
      return 0;
  }
}

Lanes Warp::integer(const Operand& from) const {
  Lanes made = bits(from);
  if (from.is_absolute) {
    for (auto& it : made) it = static_cast<std::int32_t>(it) < 0 ? 0U - it : it;
  }
  if (from.is_negated) {
    for (auto& it : made) it = 0U - it;
  }
  if (from.is_inverted) {
    for (auto& it : made) it = ~it;
  }
  return made;
}

Lanes Warp::real(const Operand& from) const {
  Lanes made = bits(from);
  if (from.is_absolute) {
    for (auto& it : made) it &= 0x7fffffffU;
  }
  if (from.is_negated) {
    for (auto& it : made) it ^= 0x80000000U;
  }
  return made;
}

std::array<std::uint64_t, 32> Warp::wide(const Operand& from) const {
  std::array<std::uint64_t, 32> made{};
  switch (from.kind) {
    case Kind::reg:
      if (from.index < 254) {
        const Lanes& low = registers_[static_cast<std::size_t>(from.index)];
        const Lanes& high = registers_[static_cast<std::size_t>(from.index) + 1];
        for (std::size_t i = 0; i < 32; ++i) made[i] = low[i] | std::uint64_t{high[i]} << 32U;
      }
      break;
    case Kind::uniform:
      if (from.index < 62) {
        made.fill(uniform_[static_cast<std::size_t>(from.index)] |
                  std::uint64_t{uniform_[static_cast<std::size_t>(from.index) + 1]} << 32U);
      }
      break;
    case Kind::constant:
      made.fill(constant(static_cast<std::uint64_t>(from.value)));
      break;
    case Kind::number:
      made.fill(static_cast<std::uint64_t>(from.value));
      break;
    default:
      break;
  }
  if (from.is_negated) {
    for (auto& it : made) it = 0U - it;
  }
  return made;
}

Mask Warp::predicate(const Operand& from) const {
  Mask made = 0;
  if (from.kind == Kind::predicate) made = predicates_[static_cast<std::size_t>(from.index)];
  if (from.kind == Kind::uniform_predicate) {
    made = uniform_predicates_[static_cast<std::size_t>(from.index)] ? all_lanes : 0;
  }
  return from.is_negated ? ~made : made;
}

void Warp::set(const Operand& to, const Lanes& values, Mask active) {
  if (to.kind == Kind::uniform && to.index < 63) {
    if (active != 0) {
      uniform_[static_cast<std::size_t>(to.index)] =
          values[static_cast<std::size_t>(std::countr_zero(active))];
    }
    return;
  }
  if (to.kind != Kind::reg || to.index >= 255) return;
  Lanes& into = registers_[static_cast<std::size_t>(to.index)];
  if (active == all_lanes) {
    into = values;
    return;
  }
  for (std::uint32_t i = 0; i < 32; ++i) {
    if ((active >> i & 1U) != 0) into[i] = values[i];
  }
}

void Warp::set_wide(const Operand& to, const std::array<std::uint64_t, 32>& values, Mask active) {
  Lanes low{};
  Lanes high{};
  for (std::size_t i = 0; i < 32; ++i) {
    low[i] = static_cast<std::uint32_t>(values[i]);
    high[i] = static_cast<std::uint32_t>(values[i] >> 32U);
  }
  Operand next = to;
  if ((to.kind == Kind::reg && to.index < 255) || (to.kind == Kind::uniform && to.index < 63)) {
    ++next.index;
  }
  set(to, low, active);
  set(next, high, active);
}

void Warp::set_predicate(const Operand& to, Mask values, Mask active) {
  if (to.index == 7) return;
  if (to.kind == Kind::uniform_predicate) {
    uniform_predicates_[static_cast<std::size_t>(to.index)] = (values & active) != 0;
  } else if (to.kind == Kind::predicate) {
    Mask& into = predicates_[static_cast<std::size_t>(to.index)];
    into = (into & ~active) | (values & active);
  }
}

}  // namespace tilelab::estimator
