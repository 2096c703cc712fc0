// Conversions between integers and reals, and between reals of different precision.

#include <cmath>
#include <limits>
#include <vector>

#include "estimator/execution/instructions/rounding.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// The precisions that an instruction names, in order.
std::vector<Precision> precisions_of(const Instruction& one) {
  std::vector<Precision> made;
  for (const std::string& modifier : one.modifiers) {
    if (modifier == "BF16") made.push_back(Precision::brain);
    if (modifier == "F16") made.push_back(Precision::half);
    if (modifier == "F32") made.push_back(Precision::single);
    if (modifier == "F64") made.push_back(Precision::twofold);
  }
  return made;
}

/// The precision of an instruction that names one at most.
Precision precision_of(const Instruction& one) {
  const auto named = precisions_of(one);
  return named.empty() ? Precision::single : named[0];
}

bool is_rounded_by_host(Precision it) {
  return it == Precision::single || it == Precision::twofold;
}

/// An integer as the nearest real in the direction of the instruction.
template <class Real, class Whole>
double converted(Whole whole) {
  const volatile Whole from = whole;
  const volatile Real made = static_cast<Real>(from);
  return made;
}

/// An integer of at most 32 bits, of which the instruction says how many and where they are.
std::int64_t narrow_integer(const Instruction& one, std::uint32_t bits) {
  if (one.has("U8")) return static_cast<std::uint8_t>(bits);
  if (one.has("S8")) return static_cast<std::int8_t>(bits);
  if (one.has("U16")) return static_cast<std::uint16_t>(bits);
  if (one.has("S16")) return static_cast<std::int16_t>(bits);
  if (one.has("U32")) return bits;
  return static_cast<std::int32_t>(bits);
}

double in_whole_numbers(const Instruction& one, double value) {
  if (one.has("FLOOR")) return std::floor(value);
  if (one.has("CEIL")) return std::ceil(value);
  if (one.has("TRUNC")) return std::trunc(value);
  return std::nearbyint(value);
}

/// A real as an integer. What does not fit becomes the nearest that does.
template <class Whole>
std::uint64_t whole(const Instruction& one, double value) {
  using Limits = std::numeric_limits<Whole>;
  if (std::isnan(value)) {
    // PTX's description of cvt says so.
    const bool is_zero = sizeof(Whole) == 4 && !one.has("F64");
    return is_zero ? 0 : std::uint64_t{1} << (8 * sizeof(Whole) - 1);
  }
  const double made = in_whole_numbers(one, value);
  const Whole within = made >= std::ldexp(1.0, Limits::digits)      ? Limits::max()
                       : made <= static_cast<double>(Limits::min()) ? Limits::min()
                                                                    : static_cast<Whole>(made);
  return static_cast<std::uint64_t>(within);
}

}  // namespace

void Warp::execute_conversion(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  switch (one.operation) {
    case Operation::I2F:
    case Operation::I2FP:
      convert_integers(one, active);
      return;
    case Operation::F2I:
      convert_to_integers(one, active);
      return;
    case Operation::FRND: {
      const Precision precision = precision_of(one);
      Reals made = reals(operands[1], precision);
      for (auto& it : made) it = in_whole_numbers(one, it);
      set_reals(operands[0], precision, made, active);
      return;
    }
    case Operation::F2F: {
      // F2F.F64.F32 makes a double of a float.
      const auto named = precisions_of(one);
      const bool is_known =
          named.size() == 2 && (is_rounded_by_host(named[0]) || rounding_of(one) == FE_TONEAREST);
      if (!is_known) throw unknown_instruction(one);
      const Rounding rounding(one);
      set_reals(operands[0], named[0], reals(operands[1], named[1]), active);
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

void Warp::convert_integers(const Instruction& one, Mask active) {
  const Operand& from = one.operands[1];
  const Precision precision = precision_of(one);
  const bool is_wide = one.has("U64") || one.has("S64");
  const bool is_known =
      is_rounded_by_host(precision) || (!is_wide && rounding_of(one) == FE_TONEAREST);
  if (!is_known) throw unknown_instruction(one);
  const WideLanes wide_values = is_wide ? wide(from) : WideLanes{};
  const Lanes values = is_wide ? Lanes{} : integer(from);
  const Rounding rounding(one);
  const auto nearest = [&](auto whole) {
    return precision == Precision::single ? converted<float>(whole) : converted<double>(whole);
  };
  Reals made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = one.has("U64") ? nearest(wide_values[i])
              : is_wide      ? nearest(static_cast<std::int64_t>(wide_values[i]))
                             : nearest(narrow_integer(one, values[i] >> (8 * from.byte)));
  }
  set_reals(one.operands[0], precision, made, active);
}

void Warp::convert_to_integers(const Instruction& one, Mask active) {
  if (one.has("U8") || one.has("S8") || one.has("U16") || one.has("S16")) {
    throw unknown_instruction(one);
  }
  const Reals from = reals(one.operands[1], precision_of(one));
  const auto set_whole = [&](auto&& as_whole) {
    WideLanes made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = as_whole(one, from[i]);
    if (one.has("U64") || one.has("S64")) {
      set_wide(one.operands[0], made, active);
    } else {
      set_each(one.operands[0], active,
               [&](std::size_t i) { return static_cast<std::uint32_t>(made[i]); });
    }
  };
  if (one.has("U64")) {
    set_whole(whole<std::uint64_t>);
  } else if (one.has("S64")) {
    set_whole(whole<std::int64_t>);
  } else if (one.has("U32")) {
    set_whole(whole<std::uint32_t>);
  } else {
    set_whole(whole<std::int32_t>);
  }
}

}  // namespace tilelab::estimator
