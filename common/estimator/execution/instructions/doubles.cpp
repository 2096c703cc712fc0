// Arithmetic in double precision.

#include <bit>
#include <cmath>
#include <limits>

#include "estimator/execution/instructions/real_order.h"
#include "estimator/execution/instructions/rounding.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// x, or a zero of its sign if it is subnormal.
double flushed(double x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x; }

/// MUFU.RCP64H and MUFU.RSQ64H: the upper word of 1 / x or of 1 / sqrt(x), of which only the upper
/// word is read. Division and square root begin with it.
std::uint32_t upper_word_of_inverse(const Instruction& one, std::uint32_t upper_word) {
  const double x = flushed(std::bit_cast<double>(std::uint64_t{upper_word} << 32U));
  const double made = one.has("RCP64H") ? 1 / x
                      : x == 0          ? std::copysign(std::numeric_limits<double>::infinity(), x)
                                        : 1 / std::sqrt(x);
  return static_cast<std::uint32_t>((std::bit_cast<std::uint64_t>(flushed(made)) + 0x80000000U) >>
                                    32U);
}

/// Whether a minimum or maximum of two numbers is the first one. NaN gives way to a number.
bool is_first_extreme(const Instruction& one, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  return is_below(a, b) == one.has("MIN");
}

}  // namespace

void Warp::execute_double(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  const auto source = [&](std::size_t i) { return reals(operands[i], Precision::twofold); };
  // All sums and products are sums of a product and a number, rounded once.
  const auto set_sums = [&](const Reals& a, const Reals& b, const Reals& c) {
    const Rounding rounding(one);
    Reals made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const volatile double factor = a[i];
      const volatile double sum = std::fma(factor, b[i], c[i]);
      made[i] = sum;
    }
    set_reals(operands[0], Precision::twofold, made, active);
  };
  switch (one.operation) {
    case Operation::DFMA:
      set_sums(source(1), source(2), source(3));
      return;
    case Operation::DADD: {
      Reals ones{};
      ones.fill(1);
      set_sums(source(1), ones, source(2));
      return;
    }
    case Operation::DMUL: {
      const Reals a = source(1), b = source(2);
      // A zero of the same sign leaves a product that is zero as it is.
      Reals zeros{};
      for (std::size_t i = 0; i < zeros.size(); ++i) {
        zeros[i] = std::signbit(a[i]) == std::signbit(b[i]) ? 0.0 : -0.0;
      }
      set_sums(a, b, zeros);
      return;
    }
    case Operation::DSETP: {
      const Reals a = source(2), b = source(3);
      const Mask with = predicate(operands[4]);
      const auto set_both = [&](Mask first, Mask second) {
        set_predicate(operands[0], joined(one, first, with), active);
        set_predicate(operands[1], joined(one, second, with), active);
      };
      if (one.has("MIN") || one.has("MAX")) {
        // Where both are NaN, the code makes a NaN of the second number.
        set_both(lanes_where([&](std::size_t i) { return is_first_extreme(one, a[i], b[i]); }),
                 lanes_where([&](std::size_t i) { return std::isnan(a[i]) && std::isnan(b[i]); }));
      } else {
        const Mask is_so =
            lanes_where([&](std::size_t i) { return compare_reals(one, a[i], b[i]); });
        set_both(is_so, ~is_so);
      }
      return;
    }
    case Operation::MUFU: {
      const Lanes upper_words = real(operands[1]);
      set_each(operands[0], active,
               [&](std::size_t i) { return upper_word_of_inverse(one, upper_words[i]); });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
