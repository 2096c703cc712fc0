// Sums over the bytes of words, and distances.

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// A part of a word, with its sign if it has one.
std::int32_t part(std::uint32_t word, unsigned which, unsigned bits, bool is_signed) {
  const std::uint32_t upper = word << (32 - bits * (which + 1));
  return is_signed ? static_cast<std::int32_t>(upper) >> (32 - bits)
                   : static_cast<std::int32_t>(upper >> (32 - bits));
}

/// IDP.4A adds the products of four bytes. IDP.2A adds those of two halves of the first word with
/// two bytes of the second, the lower or the upper ones. The modifiers are the kinds of both.
std::uint32_t dot_product(const Instruction& one, std::uint32_t a, std::uint32_t b) {
  const bool has_four = one.has("4A");
  const bool is_known = one.modifiers.size() >= 3 && (has_four || one.has("2A"));
  if (!is_known) throw unknown_instruction(one);
  const auto is_signed = [&](std::size_t from_last) {
    return one.modifiers[one.modifiers.size() - from_last].starts_with("S");
  };
  const unsigned first = one.has("HI") ? 2 : 0;
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < (has_four ? 4U : 2U); ++i) {
    const std::int32_t x = part(a, i, has_four ? 8 : 16, is_signed(2));
    const std::int32_t y = part(b, first + i, 8, is_signed(1));
    sum += static_cast<std::uint32_t>(x * y);
  }
  return sum;
}

/// How far two words are apart, or each of their bytes: as bytes, or added up.
std::uint32_t distance(const Instruction& one, std::uint32_t a, std::uint32_t b) {
  if (one.operation == Operation::VABSDIFF) {
    const bool is_less =
        one.has("U32") ? a < b : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    return is_less ? b - a : a - b;
  }
  if (!one.has("U8")) throw unknown_instruction(one);
  std::uint32_t made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::int32_t x = part(a, i, 8, false), y = part(b, i, 8, false);
    const auto apart = static_cast<std::uint32_t>(x < y ? y - x : x - y);
    made += one.has("ACC") ? apart : apart << (8 * i);
  }
  return made;
}

}  // namespace

void Warp::execute_bytes(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const auto set_sums = [&](auto&& value) {
    const Lanes a = bits(sorted.sources[0]), b = bits(sorted.sources[1]);
    const Lanes c = sorted.sources.count > 2 ? integer(sorted.sources[2]) : Lanes{};
    set_each(*sorted.to, active, [&](std::size_t i) { return value(one, a[i], b[i]) + c[i]; });
  };
  switch (one.operation) {
    case Operation::IDP:
      return set_sums(dot_product);
    case Operation::VABSDIFF:
    case Operation::VABSDIFF4:
      return set_sums(distance);
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
