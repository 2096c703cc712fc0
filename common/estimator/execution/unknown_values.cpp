#include "estimator/execution/unknown_values.h"

#include <algorithm>
#include <cstddef>

namespace tilelab::estimator {

namespace {

/// Whether an instruction's first operand is its result.
bool has_result(const Instruction& one) {
  return one.pipe != Pipe::cbu && one.operation != Operation::STG &&
         one.operation != Operation::STS && one.operation != Operation::STL &&
         one.operation != Operation::ST;
}

/// How many of an instruction's operands are results: a register with perhaps a predicate before
/// it or, of a sum, the carries behind it, or two predicates.
std::size_t results_of(const Instruction& one) {
  const auto& operands = one.operands;
  if (operands.empty()) return 0;
  if (family_of(one.operation) == Family::sum) {
    const auto carries_end = std::find_if_not(operands.begin() + 1, operands.end(), is_predicate);
    return static_cast<std::size_t>(carries_end - operands.begin());
  }
  const bool begins_with_predicate = is_predicate(operands[0]);
  if (!begins_with_predicate || one.operation == Operation::FCHK) return 1;
  return std::min<std::size_t>(operands.size(), 2);
}

/// Whether the result is an integer or a real of 64 bits.
bool is_wide_number(const Instruction& one) {
  switch (one.operation) {
    case Operation::F2I:
      return one.has("S64") || one.has("U64");
    case Operation::F2F:
      return !one.modifiers.empty() && one.modifiers[0] == "F64";
    case Operation::I2F:
    case Operation::FRND:
      return one.has("F64");
    default:
      return one.pipe == Pipe::fp64;
  }
}

/// How many registers the result has.
int words_of_result(const Instruction& one) {
  if (one.pipe == Pipe::lsu) return std::max(1, one.bytes / 4);
  return one.has("WIDE") || one.has("64") || is_wide_number(one) ? 2 : 1;
}

/// Whether the sources are integers or reals of 64 bits.
bool reads_wide_numbers(const Instruction& one) {
  switch (one.operation) {
    case Operation::I2F:
      return one.has("S64") || one.has("U64");
    case Operation::F2F:
      return one.modifiers.size() > 1 && one.modifiers[1] == "F64";
    case Operation::F2I:
    case Operation::FRND:
      return one.has("F64");
    default:
      return one.pipe == Pipe::fp64;
  }
}

}  // namespace

Mask UnknownValues::of(const Operand& it) const {
  const auto at = static_cast<std::size_t>(it.index);
  switch (it.kind) {
    case Kind::reg:
    case Kind::memory:
    case Kind::constant:
      return it.index < 255 ? registers_[at] : 0;
    case Kind::uniform:
      return it.index < 63 ? uniform_[at] : 0;
    case Kind::predicate:
      return predicates_[at];
    case Kind::uniform_predicate:
      return uniform_predicates_[at];
    default:
      return 0;
  }
}

Mask UnknownValues::sources(const Instruction& one) const {
  Mask made = of(one.guard);
  const bool is_wide = reads_wide_numbers(one);
  for (std::size_t i = has_result(one) ? results_of(one) : 0; i < one.operands.size(); ++i) {
    Operand it = one.operands[i];
    made |= of(it);
    if (!is_wide || (it.kind != Kind::reg && it.kind != Kind::uniform)) continue;
    ++it.index;
    made |= of(it);
  }
  return made;
}

Mask UnknownValues::address(const Operand& place) const {
  Operand high = place;
  ++high.index;
  const Mask both = of(place) | (place.is_wide ? of(high) : 0);
  return both |
         (place.uniform_index < 63 ? uniform_[static_cast<std::size_t>(place.uniform_index)] : 0);
}

void UnknownValues::spread(const Instruction& one, Mask active, Mask loaded) {
  const Mask from = sources(one) | loaded;
  const auto mark = [&](Mask& into) { into = (into & ~active) | (from & active); };
  if (one.operation == Operation::R2P) {
    for (std::size_t p = 0; p < 7; ++p) {
      if ((one.operands[2].value >> p & 1) != 0) mark(predicates_[p]);
    }
  }
  for (std::size_t i = 0; i < results_of(one); ++i) {
    const Operand& it = one.operands[i];
    const auto at = static_cast<std::size_t>(it.index);
    if (it.kind == Kind::predicate && it.index < 7) mark(predicates_[at]);
    if (it.kind == Kind::uniform_predicate && it.index < 7) mark(uniform_predicates_[at]);
    if (it.kind == Kind::uniform && it.index < 63) {
      uniform_[at] = (from & active) != 0 ? all_lanes : 0;
    }
    if (it.kind == Kind::reg) {
      for (int w = 0; w < words_of_result(one) && it.index + w < 255; ++w) {
        mark(registers_[at + static_cast<std::size_t>(w)]);
      }
    }
  }
}

}  // namespace tilelab::estimator
