// What operands are worth as reals of some precision, and how reals are written.

#include <bit>
#include <cmath>

#include "estimator/execution/instructions/half_bits.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

/// The reals of an operand. A half is the one that counts as the lower of two.
Reals Warp::reals(const Operand& from, Precision precision) const {
  Reals made{};
  if (precision == Precision::twofold) {
    const WideLanes its = wide_bits(from);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = std::bit_cast<double>(its[i]);
  } else {
    const Lanes its = bits(from);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::uint32_t half = its[i] >> (16U * from.halves[0]) & 0xffffU;
      // An immediate is a float for all of them.
      made[i] = precision == Precision::single || from.kind == Kind::number
                    ? double{std::bit_cast<float>(its[i])}
                : precision == Precision::half ? real_of_half(half)
                                               : real_of_brain_half(half);
    }
  }
  if (from.is_absolute) {
    for (auto& it : made) it = std::fabs(it);
  }
  if (from.is_negated) {
    for (auto& it : made) it = -it;
  }
  return made;
}

/// Writes reals in some precision. Floats are rounded as the host rounds now.
void Warp::set_reals(const Operand& to, Precision precision, const Reals& values, Mask active) {
  if (precision == Precision::twofold) {
    WideLanes made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = std::bit_cast<std::uint64_t>(values[i]);
    set_wide(to, made, active);
    return;
  }
  set_each(to, active, [&](std::size_t i) {
    if (precision == Precision::half) return half_of(values[i]);
    if (precision == Precision::brain) return brain_half_of(values[i]);
    const volatile double value = values[i];
    const volatile float made = static_cast<float>(value);
    return std::bit_cast<std::uint32_t>(static_cast<float>(made));
  });
}

}  // namespace tilelab::estimator
