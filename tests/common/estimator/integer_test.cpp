#include <algorithm>
#include <bit>

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

const Lanes a = numbers(1), b = numbers(22), c = numbers(333);

std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32U;
}
std::int32_t as_signed(std::uint32_t x) { return static_cast<std::int32_t>(x); }

}  // namespace

TEST_CASE("IADD3 carries from the lower halves to the upper ones") {
  const Lanes high =
      result_of({"IADD3 R4, P0, P1, R1, R2, R3", "IADD3.X R0, R1, R2, RZ, P0, P1"}, {a, b, c});
  CHECK(high == lanes_of([](std::size_t i) {
          const std::uint64_t low = std::uint64_t{a[i]} + b[i] + c[i];
          return a[i] + b[i] + (low >> 32U);
        }));
}

TEST_CASE("IADD3 subtracts in 64 bits") {
  const Lanes high =
      result_of({"IADD3 R4, P0, R1, -R2, RZ", "IADD3.X R0, R3, ~R1, RZ, P0, !PT"}, {a, b, c});
  CHECK(high ==
        lanes_of([](std::size_t i) { return (joined(a[i], c[i]) - joined(b[i], a[i])) >> 32U; }));
}

TEST_CASE("IMAD adds to the lower half of a product") {
  CHECK(result_of({"IMAD R0, R1, R2, R3"}, {a, b, c}) ==
        lanes_of([](std::size_t i) { return a[i] * b[i] + c[i]; }));
  CHECK(result_of({"IMAD R0, R1, 0x7, -R3"}, {a, b, c}) ==
        lanes_of([](std::size_t i) { return a[i] * 7 - c[i]; }));
  CHECK(result_of({"IMAD.MOV.U32 R0, RZ, RZ, R3"}, {a, b, c}) == c);
}

TEST_CASE("IMAD.HI and IMAD.WIDE add 64 bits to a product") {
  const auto sum = [](std::size_t i) { return std::uint64_t{a[i]} * b[i] + joined(c[i], a[i]); };
  const Lanes moved = a;  // R4, the upper half of what R3 begins
  CHECK(result_of({"IMAD.HI.U32 R0, R1, R2, R3"}, {a, b, c, moved}) ==
        lanes_of([&](std::size_t i) { return sum(i) >> 32U; }));
  CHECK(result_of({"IMAD.WIDE.U32 R6, R1, R2, R3", "MOV R0, R7"}, {a, b, c, moved}) ==
        lanes_of([&](std::size_t i) { return sum(i) >> 32U; }));
  CHECK(result_of({"IMAD.WIDE R6, R1, R2, RZ", "MOV R0, R7"}, {a, b}) ==
        lanes_of(
            [](std::size_t i) { return (std::int64_t{as_signed(a[i])} * as_signed(b[i])) >> 32; }));
}

TEST_CASE("IMAD.HI carries out of 64 bits") {
  const Lanes got = result_of({"IMAD.HI.U32 R5, P0, R1, R2, R3", "SEL R0, 0x1, RZ, P0"},
                              {a, b, c, lanes_of([](std::size_t) { return 0xffffffffU; })});
  CHECK(got == lanes_of([](std::size_t i) {
          const std::uint64_t product = std::uint64_t{a[i]} * b[i];
          return product > ~joined(c[i], 0xffffffffU) ? 1 : 0;
        }));
}

TEST_CASE("LEA shifts and adds in 64 bits") {
  // The address of the element R1, an int, of 8-byte elements at (R3, R2).
  const Lanes high =
      result_of({"LEA R4, P0, R1, R2, 0x3", "LEA.HI.X.SX32 R0, R1, R3, 0x3, P0"}, {a, b, c});
  CHECK(high == lanes_of([](std::size_t i) {
          const auto offset = static_cast<std::uint64_t>(std::int64_t{as_signed(a[i])} * 8);
          return (joined(b[i], c[i]) + offset) >> 32U;
        }));
  // The same with an index of 64 bits, (R3, R1).
  CHECK(result_of({"LEA R4, P0, R1, R2, 0x3", "LEA.HI.X R0, R1, R2, R3, 0x3, P0"}, {a, b, c}) ==
        lanes_of([](std::size_t i) {
          return (joined(b[i], b[i]) + (joined(a[i], c[i]) << 3U)) >> 32U;
        }));
}

TEST_CASE("SHF shifts 64 bits") {
  const Lanes by = lanes_of([](std::size_t i) { return i; });
  CHECK(result_of({"SHF.L.U64.HI R0, R1, R3, R2"}, {a, b, by}) ==
        lanes_of([&](std::size_t i) { return (joined(a[i], b[i]) << by[i]) >> 32U; }));
  CHECK(result_of({"SHF.R.U64 R0, R1, R3, R2"}, {a, b, by}) ==
        lanes_of([&](std::size_t i) { return joined(a[i], b[i]) >> by[i]; }));
  CHECK(result_of({"SHF.R.S32.HI R0, RZ, 0x1f, R1"}, {a}) ==
        lanes_of([](std::size_t i) { return as_signed(a[i]) < 0 ? ~0U : 0U; }));
  CHECK(result_of({"SHF.L.U32 R0, R1, 0x5, RZ"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i] << 5U; }));
  CHECK(result_of({"SHF.L.W.U32.HI R0, R1, 0x27, R1"}, {a}) ==
        lanes_of([](std::size_t i) { return std::rotl(a[i], 7); }));
}

TEST_CASE("LOP3 is any function of three bits") {
  CHECK(result_of({"LOP3.LUT R0, R1, R2, R3, 0xca, !PT"}, {a, b, c}) ==
        lanes_of([](std::size_t i) { return (a[i] & b[i]) | (~a[i] & c[i]); }));
  CHECK(result_of({"LOP3.LUT R0, R1, ~R2, R3, 0x96, !PT"}, {a, b, c}) ==
        lanes_of([](std::size_t i) { return a[i] ^ ~b[i] ^ c[i]; }));
  CHECK(result_of({"LOP3.LUT P0, R4, R1, 0x1, RZ, 0xc0, !PT", "SEL R0, R2, R3, P0"}, {a, b, c}) ==
        lanes_of([](std::size_t i) { return (a[i] & 1U) != 0 ? b[i] : c[i]; }));
}

TEST_CASE("PLOP3 is any function of three predicates") {
  const Lanes got = result_of({"ISETP.GE.AND P0, PT, R1, RZ, PT", "ISETP.GE.AND P1, PT, R2, RZ, PT",
                               "PLOP3.LUT P2, P3, P0, P1, PT, 0x80, 0x2a", "SEL R0, 0x2, RZ, P2",
                               "@P3 IADD3 R0, R0, 0x1, RZ"},
                              {a, b});
  CHECK(got == lanes_of([](std::size_t i) {
          const bool x = as_signed(a[i]) >= 0, y = as_signed(b[i]) >= 0;
          return (x && y ? 2 : 0) + (x && y ? 0 : 1);
        }));
}

TEST_CASE("PRMT picks bytes and their signs") {
  CHECK(result_of({"PRMT R0, R1, 0x5410, R2"}, {a, b}) ==
        lanes_of([](std::size_t i) { return (a[i] & 0xffffU) | b[i] << 16U; }));
  CHECK(result_of({"PRMT R0, R1, 0x8880, RZ"}, {a}) ==
        lanes_of([](std::size_t i) { return static_cast<std::int8_t>(a[i]); }));
}

TEST_CASE("ISETP compares numbers of 32 and 64 bits") {
  const auto as_number = [](bool is_so) { return is_so ? 5U : 0U; };
  const auto compared = [&](const char* first, const char* second) {
    return result_of({first, second, "SEL R0, 0x5, RZ, P0"}, {a, b, c});
  };
  CHECK(compared("NOP", "ISETP.LT.U32.AND P0, PT, R1, R2, PT") ==
        lanes_of([&](std::size_t i) { return as_number(a[i] < b[i]); }));
  CHECK(compared("NOP", "ISETP.LT.AND P0, PT, R1, R2, PT") ==
        lanes_of([&](std::size_t i) { return as_number(as_signed(a[i]) < as_signed(b[i])); }));
  CHECK(compared("ISETP.GT.U32.AND P1, PT, R1, R2, PT", "ISETP.GT.AND.EX P0, PT, R3, R3, PT, P1") ==
        lanes_of([&](std::size_t i) { return as_number(a[i] > b[i]); }));
  CHECK(
      compared("ISETP.NE.U32.AND P1, PT, R1, R2, PT", "ISETP.NE.AND.EX P0, PT, R3, R1, PT, P1") ==
      lanes_of([&](std::size_t i) { return as_number(joined(a[i], c[i]) != joined(b[i], a[i])); }));
  CHECK(compared("ISETP.GE.AND P1, PT, R1, RZ, PT", "ISETP.GE.OR P0, PT, R2, RZ, P1") ==
        lanes_of([&](std::size_t i) {
          return as_number(as_signed(a[i]) >= 0 || as_signed(b[i]) >= 0);
        }));
}

TEST_CASE("minima and maxima are chosen by a predicate") {
  CHECK(result_of({"VIMNMX3 R0, R1, R2, R3, PT"}, {a, b, c}) == lanes_of([](std::size_t i) {
          return std::min({as_signed(a[i]), as_signed(b[i]), as_signed(c[i])});
        }));
  CHECK(result_of({"VIMNMX3.U32 R0, R1, R2, R3, !PT"}, {a, b, c}) == lanes_of([](std::size_t i) {
          return std::max({a[i], b[i], c[i]});
        }));
  CHECK(result_of({"VIMNMX.U32 R0, R1, R2, PT"}, {a, b}) ==
        lanes_of([](std::size_t i) { return std::min(a[i], b[i]); }));
  CHECK(result_of({"VIADDMNMX R0, R1, 0x3, R2, !PT"}, {a, b}) ==
        lanes_of([](std::size_t i) { return std::max(as_signed(a[i] + 3), as_signed(b[i])); }));
}

TEST_CASE("bits are counted, found and reversed") {
  CHECK(result_of({"POPC R0, R1"}, {a}) ==
        lanes_of([](std::size_t i) { return std::popcount(a[i]); }));
  CHECK(result_of({"FLO.U32 R0, R1"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i] == 0 ? -1 : 31 - std::countl_zero(a[i]); }));
  CHECK(result_of({"BREV R0, R1", "FLO.U32.SH R0, R0"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i] == 0 ? -1 : std::countr_zero(a[i]); }));
  CHECK(result_of({"IABS R0, R1"}, {a}) ==
        lanes_of([](std::size_t i) { return as_signed(a[i]) < 0 ? 0U - a[i] : a[i]; }));
}

TEST_CASE("bits are made, and numbers of a few bits widened") {
  const Lanes first = lanes_of([](std::size_t i) { return i; });
  const Lanes width = lanes_of([](std::size_t i) { return 2 * i; });
  const auto field = [](std::size_t begin, std::size_t count) {
    std::uint32_t made = 0;
    for (std::size_t i = begin; i < begin + count && i < 32; ++i) made |= 1U << i;
    return made;
  };
  CHECK(result_of({"BMSK R0, R1, R2"}, {first, width}) ==
        lanes_of([&](std::size_t i) { return field(i, 2 * i); }));
  CHECK(result_of({"BMSK R0, RZ, R1"}, {width}) ==
        lanes_of([&](std::size_t i) { return field(0, std::min<std::size_t>(2 * i, 32)); }));
  CHECK(result_of({"BMSK.W R0, R1, R2"}, {first, width}) ==
        lanes_of([&](std::size_t i) { return field(i, 2 * i % 32); }));
  CHECK(result_of({"SGXT R0, R1, 0x5"}, {a}) == lanes_of([](std::size_t i) {
          const auto low = static_cast<std::int32_t>(a[i] & 31U);
          return low < 16 ? low : low - 32;
        }));
  CHECK(result_of({"SGXT.U32 R0, R1, 0x5"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i] & 31U; }));
  CHECK(result_of({"SGXT R0, R1, 0x20"}, {a}) == a);
}

TEST_CASE("bytes are multiplied and added") {
  const auto byte = [](std::uint32_t word, int i) {
    return static_cast<int>(word >> (8 * i) & 0xffU);
  };
  const auto as_byte = [](int it) { return static_cast<int>(static_cast<std::int8_t>(it)); };
  const auto sum = [](auto&& term) { return term(0) + term(1) + term(2) + term(3); };
  CHECK(result_of({"IDP.4A.S8.S8 R0, R1, R2, R3"}, {a, b, c}) == lanes_of([&](std::size_t i) {
          return c[i] + static_cast<std::uint32_t>(sum([&](int k) {
                   return as_byte(byte(a[i], k)) * as_byte(byte(b[i], k));
                 }));
        }));
  CHECK(result_of({"IDP.4A.U8.S8 R0, R1, R2, R3"}, {a, b, c}) == lanes_of([&](std::size_t i) {
          return c[i] + static_cast<std::uint32_t>(
                            sum([&](int k) { return byte(a[i], k) * as_byte(byte(b[i], k)); }));
        }));
  CHECK(result_of({"IDP.2A.HI.S16.U8 R0, R1, R2, RZ"}, {a, b}) == lanes_of([&](std::size_t i) {
          return static_cast<std::int16_t>(a[i]) * byte(b[i], 2) +
                 static_cast<std::int16_t>(a[i] >> 16U) * byte(b[i], 3);
        }));
  CHECK(result_of({"VABSDIFF4.U8.ACC R0, R1, R2, R3"}, {a, b, c}) == lanes_of([&](std::size_t i) {
          return c[i] + static_cast<std::uint32_t>(
                            sum([&](int k) { return std::abs(byte(a[i], k) - byte(b[i], k)); }));
        }));
  CHECK(result_of({"VABSDIFF.U32 R0, R1, R2, 0x7"}, {a, b}) ==
        lanes_of([&](std::size_t i) { return std::max(a[i], b[i]) - std::min(a[i], b[i]) + 7; }));
}

TEST_CASE("R2P takes predicates from a byte") {
  // P1 stays as it was: true.
  const Lanes got =
      result_of({"ISETP.EQ.AND P1, PT, RZ, RZ, PT", "R2P PR, R1.B2, 0x9", "SEL R0, 0x1, RZ, P0",
                 "@P1 IADD3 R0, R0, 0x2, RZ", "@P3 IADD3 R0, R0, 0x8, RZ"},
                {a});
  CHECK(got == lanes_of([](std::size_t i) { return (a[i] >> 16U & 9U) + 2; }));
}
