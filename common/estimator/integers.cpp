#include <algorithm>
#include <bit>

#include "estimator/warp.h"

namespace tilelab::estimator {

namespace {

using Wide = std::array<std::uint64_t, 32>;

bool is_predicate(const Operand& it) {
  return it.kind == Kind::predicate || it.kind == Kind::uniform_predicate;
}

/// The operands of an instruction, sorted: destination, predicates that it writes, sources, and
/// predicates that it reads.
struct Sorted {
  const Operand* to = nullptr;
  std::array<const Operand*, 2> written{};
  std::array<const Operand*, 4> sources{};
  std::array<const Operand*, 3> read{};
  std::size_t written_count = 0;
  std::size_t source_count = 0;
  std::size_t read_count = 0;
};

Sorted sorted(const Instruction& one) {
  Sorted made;
  for (std::size_t i = 0; i < one.operands.size(); ++i) {
    const Operand& it = one.operands[i];
    if (!is_predicate(it)) {
      if (made.to == nullptr) {
        made.to = &it;
      } else if (made.source_count < made.sources.size()) {
        made.sources[made.source_count++] = &it;
      }
    } else if (made.source_count == 0 && (made.to != nullptr || i == 0)) {
      if (made.written_count < 2) made.written[made.written_count++] = &it;
    } else if (made.read_count < 3) {
      made.read[made.read_count++] = &it;
    }
  }
  return made;
}

std::uint32_t permuted(std::uint32_t a, std::uint32_t selector, std::uint32_t b) {
  const std::uint64_t both = a | std::uint64_t{b} << 32U;
  std::uint32_t made = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i) & 15U;
    auto byte = static_cast<std::uint32_t>(both >> (8 * (pick & 7U)) & 0xffU);
    if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;
    made |= byte << (8 * i);
  }
  return made;
}

std::uint32_t logic(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t made = 0;
  if ((table & 0x01U) != 0) made |= ~a & ~b & ~c;
  if ((table & 0x02U) != 0) made |= ~a & ~b & c;
  if ((table & 0x04U) != 0) made |= ~a & b & ~c;
  if ((table & 0x08U) != 0) made |= ~a & b & c;
  if ((table & 0x10U) != 0) made |= a & ~b & ~c;
  if ((table & 0x20U) != 0) made |= a & ~b & c;
  if ((table & 0x40U) != 0) made |= a & b & ~c;
  if ((table & 0x80U) != 0) made |= a & b & c;
  return made;
}

std::uint32_t shifted(const Instruction& one, std::uint32_t low, std::uint32_t by,
                      std::uint32_t high) {
  const bool is_signed = one.has("S32") || one.has("S64");
  by = one.has("W") ? by & 31U : std::min(by, 63U);
  const std::uint64_t both = low | std::uint64_t{high} << 32U;
  if (one.has("L")) {
    const std::uint64_t made = both << by;
    return static_cast<std::uint32_t>(one.has("HI") ? made >> 32U : made);
  }
  const std::uint64_t made =
      is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(both) >> by) : both >> by;
  return static_cast<std::uint32_t>(one.has("HI") ? made >> 32U : made);
}

bool compare(const Instruction& one, std::int64_t a, std::int64_t b, bool of_low, bool has_low) {
  const bool same = a == b;
  if (one.has("EQ")) return same && (!has_low || of_low);
  if (one.has("NE")) return !same || (has_low && of_low);
  if (has_low && same) return of_low;
  if (one.has("LT")) return a < b;
  if (one.has("LE")) return a <= b;
  if (one.has("GT")) return a > b;
  if (one.has("GE")) return a >= b;
  throw Unknown("the instruction " + one.text);
}

}  // namespace

bool Warp::execute_integer(const Instruction& one, Mask active) {
  const Sorted o = sorted(one);
  const auto source = [&](std::size_t i) {
    return i < o.source_count ? integer(*o.sources[i]) : Lanes{};
  };
  const auto each = [&](auto&& value) {
    Lanes made{};
    for (std::size_t i = 0; i < 32; ++i) made[i] = value(i);
    set(*o.to, made, active);
    return true;
  };
  const auto carries_in = [&](std::size_t i) {
    return i < o.read_count ? predicate(*o.read[i]) : Mask{0};
  };
  const auto minimum = [&](std::uint32_t a, std::uint32_t b, bool least) {
    if (one.has("U32")) return least ? std::min(a, b) : std::max(a, b);
    const auto x = static_cast<std::int32_t>(a);
    const auto y = static_cast<std::int32_t>(b);
    return static_cast<std::uint32_t>(least ? std::min(x, y) : std::max(x, y));
  };

  switch (one.operation) {
    case Operation::MOV:
    case Operation::UMOV:
    case Operation::S2R:
    case Operation::S2UR:
    case Operation::R2UR: {
      Lanes from = source(0);
      return each([&](std::size_t i) { return from[i]; });
    }
    case Operation::CS2R: {
      if (o.to->kind == Kind::reg && !one.has("32")) set_wide(*o.to, Wide{}, active);
      return true;
    }
    case Operation::LDC:
    case Operation::ULDC: {
      const Operand& from = *o.sources[0];
      Wide made{};
      const Lanes more = from.index < 255 ? registers_[static_cast<std::size_t>(from.index)] : Lanes{};
      const std::uint32_t uniform =
          from.uniform_index < 63 ? uniform_[static_cast<std::size_t>(from.uniform_index)] : 0;
      for (std::size_t i = 0; i < 32; ++i) {
        made[i] = constant(static_cast<std::uint64_t>(from.value) + more[i] + uniform);
      }
      if (one.has("64")) {
        set_wide(*o.to, made, active);
      } else {
        const std::uint64_t kept = one.has("U8") ? 0xffU : one.has("U16") ? 0xffffU : 0xffffffffU;
        each([&](std::size_t i) { return static_cast<std::uint32_t>(made[i] & kept); });
      }
      return true;
    }
    case Operation::VIADD: {
      const Lanes a = source(0), b = source(1);
      return each([&](std::size_t i) { return a[i] + b[i]; });
    }
    case Operation::IADD3:
    case Operation::UIADD3: {
      const bool is_extended = one.has("X");
      std::array<std::uint64_t, 32> sum{};
      for (std::size_t s = 0; s < o.source_count; ++s) {
        const Operand& from = *o.sources[s];
        Lanes it = bits(from);
        // Minus x is not-x plus one, so that the carry is that of a subtraction.
        const bool inverts = from.is_inverted || from.is_negated;
        for (std::size_t i = 0; i < 32; ++i) {
          sum[i] += inverts ? std::uint64_t{~it[i]} : it[i];
          if (from.is_negated) ++sum[i];
        }
      }
      if (is_extended) {
        for (std::size_t p = 0; p < o.read_count; ++p) {
          const Mask in = predicate(*o.read[p]);
          for (std::uint32_t i = 0; i < 32; ++i) sum[i] += in >> i & 1U;
        }
      }
      for (std::size_t p = 0; p < o.written_count; ++p) {
        Mask out = 0;
        for (std::uint32_t i = 0; i < 32; ++i) out |= Mask{sum[i] >> 32U > p} << i;
        set_predicate(*o.written[p], out, active);
      }
      return each([&](std::size_t i) { return static_cast<std::uint32_t>(sum[i]); });
    }
    case Operation::IMAD:
    case Operation::UIMAD: {
      if (one.has("MOV")) {
        const Lanes c = source(2);
        return each([&](std::size_t i) { return c[i]; });
      }
      const Lanes a = source(0), b = source(1);
      const bool is_signed = !one.has("U32");
      if (one.has("WIDE") || one.has("HI")) {
        const Wide c = o.source_count > 2 ? wide(*o.sources[2]) : Wide{};
        Wide made{};
        for (std::size_t i = 0; i < 32; ++i) {
          const std::uint64_t product =
              is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])} *
                                                     static_cast<std::int32_t>(b[i]))
                        : std::uint64_t{a[i]} * b[i];
          made[i] = product + c[i];
        }
        if (one.has("WIDE")) {
          Mask carry = 0;
          for (std::uint32_t i = 0; i < 32; ++i) carry |= Mask{made[i] < (o.source_count > 2 ? c[i] : 0)} << i;
          if (o.written_count > 0) set_predicate(*o.written[0], carry, active);
          set_wide(*o.to, made, active);
          return true;
        }
        Mask in = one.has("X") ? carries_in(0) : 0;
        return each([&](std::size_t i) {
          return static_cast<std::uint32_t>(made[i] >> 32U) + (in >> i & 1U);
        });
      }
      const Lanes c = source(2);
      const Mask in = one.has("X") ? carries_in(0) : 0;
      return each([&](std::size_t i) { return a[i] * b[i] + c[i] + (in >> i & 1U); });
    }
    case Operation::LEA:
    case Operation::ULEA: {
      const Lanes a = source(0), b = source(1);
      const bool is_high = one.has("HI");
      const bool extends_sign = one.has("SX32");
      const bool has_upper = is_high && !extends_sign && o.source_count > 3;
      const Lanes upper = has_upper ? source(2) : Lanes{};
      const std::size_t at = has_upper ? 3 : 2;
      const std::uint32_t by = at < o.source_count ? scalar(*o.sources[at]) & 31U : 0;
      const Mask in = one.has("X") ? carries_in(0) : 0;
      Mask out = 0;
      each([&](std::size_t i) {
        const std::uint64_t whole =
            extends_sign ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])})
                         : a[i] | std::uint64_t{upper[i]} << 32U;
        const std::uint64_t moved = whole << by;
        const std::uint64_t sum = (is_high ? moved >> 32U : moved & 0xffffffffU) + b[i] +
                                  (in >> i & 1U);
        out |= Mask{sum >> 32U != 0} << i;
        return static_cast<std::uint32_t>(sum);
      });
      if (o.written_count > 0) set_predicate(*o.written[0], out, active);
      return true;
    }
    case Operation::LOP3:
    case Operation::ULOP3: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const std::uint32_t table = scalar(*o.sources[3]);
      Mask out = 0;
      Lanes made{};
      for (std::size_t i = 0; i < 32; ++i) {
        made[i] = logic(a[i], b[i], c[i], table);
        out |= Mask{made[i] != 0} << i;
      }
      // A predicate before the destination is written.
      if (is_predicate(one.operands[0])) {
        set_predicate(one.operands[0], out, active);
        set(one.operands[1], made, active);
      } else {
        set(*o.to, made, active);
      }
      return true;
    }
    case Operation::PLOP3:
    case Operation::UPLOP3: {
      const Mask a = predicate(one.operands[2]), b = predicate(one.operands[3]),
                 c = predicate(one.operands[4]);
      const Mask first = logic(a, b, c, scalar(one.operands[5]));
      const Mask second = logic(a, b, c, scalar(one.operands[6]));
      set_predicate(one.operands[0], first, active);
      set_predicate(one.operands[1], second, active);
      return true;
    }
    case Operation::ISETP:
    case Operation::UISETP: {
      const Lanes a = integer(one.operands[2]), b = integer(one.operands[3]);
      const Mask with = predicate(one.operands[4]);
      const bool has_low = one.has("EX");
      const Mask low = has_low ? predicate(one.operands[5]) : 0;
      Mask is_so = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        const bool is_unsigned = one.has("U32");
        const std::int64_t x = is_unsigned ? std::int64_t{a[i]} : static_cast<std::int32_t>(a[i]);
        const std::int64_t y = is_unsigned ? std::int64_t{b[i]} : static_cast<std::int32_t>(b[i]);
        is_so |= Mask{compare(one, x, y, (low >> i & 1U) != 0, has_low)} << i;
      }
      const auto joined = [&](Mask it) {
        return one.has("OR") ? it | with : one.has("XOR") ? it ^ with : it & with;
      };
      set_predicate(one.operands[0], joined(is_so), active);
      set_predicate(one.operands[1], joined(~is_so), active);
      return true;
    }
    case Operation::SEL:
    case Operation::USEL: {
      const Lanes a = source(0), b = source(1);
      const Mask pick = carries_in(0);
      return each([&](std::size_t i) { return (pick >> i & 1U) != 0 ? a[i] : b[i]; });
    }
    case Operation::SHF:
    case Operation::USHF: {
      const Lanes a = source(0), by = source(1), high = source(2);
      return each([&](std::size_t i) { return shifted(one, a[i], by[i], high[i]); });
    }
    case Operation::PRMT:
    case Operation::UPRMT: {
      const Lanes a = source(0), selector = source(1), b = source(2);
      return each([&](std::size_t i) { return permuted(a[i], selector[i], b[i]); });
    }
    case Operation::VIMNMX: {
      const Lanes a = source(0), b = source(1);
      const Mask least = carries_in(0);
      return each([&](std::size_t i) { return minimum(a[i], b[i], (least >> i & 1U) != 0); });
    }
    case Operation::VIMNMX3: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const Mask least = carries_in(0);
      return each([&](std::size_t i) {
        const bool is_least = (least >> i & 1U) != 0;
        return minimum(minimum(a[i], b[i], is_least), c[i], is_least);
      });
    }
    case Operation::VIADDMNMX: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const Mask least = carries_in(0);
      return each([&](std::size_t i) { return minimum(a[i] + b[i], c[i], (least >> i & 1U) != 0); });
    }
    case Operation::IABS: {
      const Lanes a = source(0);
      return each([&](std::size_t i) {
        return static_cast<std::int32_t>(a[i]) < 0 ? 0U - a[i] : a[i];
      });
    }
    case Operation::POPC:
    case Operation::UPOPC: {
      const Lanes a = source(0);
      return each([&](std::size_t i) { return static_cast<std::uint32_t>(std::popcount(a[i])); });
    }
    case Operation::BREV: {
      const Lanes a = source(0);
      return each([&](std::size_t i) {
        std::uint32_t made = 0;
        for (std::uint32_t b = 0; b < 32; ++b) made |= (a[i] >> b & 1U) << (31 - b);
        return made;
      });
    }
    case Operation::FLO: {
      const Lanes a = source(0);
      const bool is_shift = one.has("SH");
      return each([&](std::size_t i) {
        if (a[i] == 0) return ~0U;
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(a[i]));
        return is_shift ? zeros : 31 - zeros;
      });
    }
    case Operation::P2R: {
      const std::uint32_t kept = scalar(one.operands.back());
      return each([&](std::size_t i) {
        std::uint32_t made = 0;
        for (std::uint32_t p = 0; p < 7; ++p) made |= (predicates_[p] >> i & 1U) << p;
        return made & kept;
      });
    }
    default:
      return false;
  }
}

}  // namespace tilelab::estimator
