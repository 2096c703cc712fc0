// What lanes of a warp do together.

#include <bit>

#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// The lane that a shuffle reads, or -1 if that is outside its segment.
/// @param limits  the highest lane in the low byte, and the bits that name a segment above it
int shuffled_from(const Instruction& one, int lane, std::uint32_t by, std::uint32_t limits) {
  const auto clamp = static_cast<int>(limits & 31U);
  const auto segment = static_cast<int>(limits >> 8U & 31U);
  const int last = (lane & segment) | (clamp & ~segment);
  const auto step = static_cast<int>(by & 31U);
  if (one.has("UP")) return lane - step >= last ? lane - step : -1;  // the last is the lowest here
  if (one.has("DOWN")) return lane + step <= last ? lane + step : -1;
  if (one.has("BFLY")) return (lane ^ step) <= last ? lane ^ step : -1;
  const int wanted = (lane & segment) | (step & ~segment);
  return wanted <= last ? wanted : -1;
}

/// The active lanes with the same value, for each lane.
Lanes matches(const WideLanes& values, Mask active) {
  Lanes made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = active & lanes_where([&](std::size_t j) { return values[i] == values[j]; });
  }
  return made;
}

/// What REDUX makes of the values of all active lanes. Without a modifier it is AND.
std::uint32_t reduced(const Instruction& one, const Lanes& values, Mask active) {
  const bool is_signed = one.has("S32");
  const auto is_less = [&](std::uint32_t a, std::uint32_t b) {
    return is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  };
  std::uint32_t made = values[static_cast<std::size_t>(std::countr_zero(active))];
  for_each_lane(active & (active - 1), [&](std::size_t lane) {
    const std::uint32_t value = values[lane];
    if (one.has("SUM")) {
      made += value;
    } else if (one.has("MIN")) {
      made = is_less(value, made) ? value : made;
    } else if (one.has("MAX")) {
      made = is_less(made, value) ? value : made;
    } else if (one.has("OR")) {
      made |= value;
    } else if (one.has("XOR")) {
      made ^= value;
    } else {
      made &= value;
    }
  });
  return made;
}

}  // namespace

void Warp::execute_across(const Instruction& one, Mask active, Step& made) {
  const auto& operands = one.operands;
  switch (one.operation) {
    case Operation::SHFL: {
      const Lanes from = bits(operands[2]), by = bits(operands[3]), limits = bits(operands[4]);
      Lanes values{};
      const Mask is_inside = lanes_where([&](std::size_t i) {
        const int source = shuffled_from(one, static_cast<int>(i), by[i], limits[i]);
        values[i] = source < 0 ? from[i] : from[static_cast<std::size_t>(source)];
        return source >= 0;
      });
      set_predicate(operands[0], is_inside, active);
      set(operands[1], values, active);
      return;
    }
    case Operation::VOTE:
    case Operation::VOTEU: {
      const bool has_register = operands[0].kind == Kind::reg || operands[0].kind == Kind::uniform;
      const Mask votes = predicate(operands.back()) & active;
      const bool is_so = one.has("ALL") ? votes == active : votes != 0;
      if (has_register) set_each(operands[0], active, [&](std::size_t) { return votes; });
      set_predicate(operands[has_register ? 1 : 0], is_so ? all_lanes : 0, active);
      return;
    }
    case Operation::MATCH: {
      if (!one.has("ANY")) throw unknown_instruction(one);
      WideLanes values = wide_bits(operands.back());
      if (!one.has("U64")) {
        for (auto& it : values) it &= 0xffffffffU;
      }
      const Lanes found = matches(values, active);
      // Each different value takes a pass.
      for_each_lane(active, [&](std::size_t i) {
        if ((found[i] & ((Mask{1} << i) - 1)) == 0) ++made.passes;
      });
      set(operands[operands[0].kind == Kind::reg ? 0 : 1], found, active);
      return;
    }
    case Operation::REDUX: {
      const std::uint32_t made_of_all = reduced(one, bits(operands[1]), active);
      set_each(operands[0], active, [&](std::size_t) { return made_of_all; });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
