#include <bit>
#include <cmath>

#include "estimator/execution/unknown.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// What an instruction makes in R0 of the words in R1, R2 and R3.
std::uint32_t made(const char* line, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
  return result_of({line}, {Lanes{a}, Lanes{b}, Lanes{c}})[0];
}

// As halves: 1 and 2, 3 and 0.5, the greatest one and the least one.
constexpr std::uint32_t one_two = 0x3c004000, three_half = 0x42003800, most_least = 0x7bff0001;

}  // namespace

TEST_CASE("the compiler writes numbers as pairs of halves") {
  CHECK(made("HFMA2.MMA R0, -RZ, RZ, 1.875, 0", 0) == 0x3f800000U);
  CHECK(made("HFMA2.MMA R0, -RZ, RZ, 0, 5.9604644775390625e-08", 0) == 1);
  CHECK(made("HFMA2.MMA R0, -RZ, RZ, -3, 33.21875", 0) == 0xc2005027U);
}

TEST_CASE("pairs of halves are added and multiplied") {
  CHECK(made("HADD2 R0, R1, R2", one_two, three_half) == 0x44004100U);
  CHECK(made("HADD2 R0, R1, -R2", one_two, three_half) == 0xc0003e00U);
  CHECK(made("HMUL2 R0, R1, 0.125, 4", one_two) == 0x30004800U);
  CHECK(made("HFMA2 R0, R1, R2, R3", one_two, three_half, one_two) == 0x44004200U);
  CHECK(made("HFMA2.MMA R0, R1, 1, 1, |R2|", one_two, three_half | 0x8000U) == 0x44004100U);
  CHECK(made("HMUL2 R0, R1.H0_H0, R2.H1_H1", one_two, three_half) == 0x46004600U);
  CHECK(made("HADD2 R0, -R1.H0_H0, -RZ.H0_H0", one_two) == 0xc000c000U);
}

TEST_CASE("halves are rounded to the nearest, and to even") {
  // 2048 + 1 and 2048 + 3 lie between two halves.
  CHECK(made("HADD2 R0, R1, R2", 0x68006800, 0x3c004200) == 0x68006802U);
  // What does not fit is infinite; the product of the least one and a half is zero.
  CHECK(made("HADD2 R0, R1, R1", most_least) == 0x7c000002U);
  CHECK(made("HMUL2 R0, R1, 0.5, 0.5", most_least) == 0x77ff0000U);
  CHECK(made("HMUL2 R0, R1, 0.75, 0.75", most_least & 0xffffU) == 1);
  CHECK(made("HFMA2 R0, R1, R2, R3", 0x7c00, 0, 1) == 0x7fffU);
}

TEST_CASE("brain halves have the exponents of floats") {
  // 1 and 2, 3 and 0.5
  CHECK(made("HADD2.BF16_V2 R0, R1, R2", 0x3f804000, 0x40403f00) == 0x40804020U);
  CHECK(made("HMUL2.BF16_V2 R0, R1.H1_H1, R2", 0x3f804000, 0x40403f00) == 0x40403f00U);
  CHECK(made("HFMA2.MMA.BF16_V2 R0, R1, 1, 1, R2", 0x3f804000, 0x40403f00) == 0x40804020U);
  // 1.0625 * 1.0625 is halfway between two of them. 2^-100 decides, although no double has room for
  // both.
  const auto sum = [](std::uint32_t factor, std::uint32_t summand) {
    return made("HFMA2.BF16_V2 R0, R1, R2, R3", factor, 0x3f88, summand);
  };
  CHECK(sum(0x3f88, 0) == 0x3f90U);
  CHECK(sum(0x3f88, 0x0d80) == 0x3f91U);
  CHECK(sum(0x3f88, 0x8d80) == 0x3f90U);
  CHECK(sum(0xbf88, 0x8d80) == 0xbf91U);
}

TEST_CASE("floats become halves, and halves floats") {
  CHECK(made("F2FP.F16.F32.PACK_AB R0, R1, R2", as_bits(1), as_bits(-2)) == 0x3c00c000U);
  CHECK(made("F2FP.F16.F32.PACK_AB R0, RZ, R1", as_bits(65519)) == 0x7bffU);
  CHECK(made("F2FP.F16.F32.PACK_AB R0, RZ, R1", as_bits(65520)) == 0x7c00U);
  CHECK(made("F2FP.F16.F32.PACK_AB R0, RZ, R1", as_bits(0x1p-25F)) == 0);
  CHECK(made("F2FP.F16.F32.PACK_AB R0, RZ, R1", as_bits(0x1.8p-25F)) == 1);
  CHECK(made("F2FP.F16.F32.PACK_AB R0, RZ, R1", as_bits(-0.0F)) == 0x8000U);
  CHECK(made("F2FP.BF16.F32.PACK_AB R0, R1, R2", 0x3f808000, 0x3f818000) == 0x3f803f82U);
  CHECK(made("F2FP.BF16.F32.PACK_AB R0, R1, R2", 0x7f7fffff, 0xff800000) == 0x7f80ff80U);
  CHECK(made("HADD2.F32 R0, -RZ, R1.H1_H1", three_half) == as_bits(3));
  CHECK(made("HADD2.F32 R0, -RZ, R1.reuse.H0_H0", three_half) == as_bits(0.5F));
  CHECK(made("HADD2.F32 R0, -RZ, R1.H0_H0", most_least) == as_bits(0x1p-24F));
  CHECK(made("HADD2.F32 R0, -RZ, R1.H0_H0", 0xfc00) == as_bits(-INFINITY));
  CHECK(made("HADD2.F32 R0, -RZ, R1.H0_H0", 0x8000) == as_bits(-0.0F));
  CHECK(made("I2F.F16 R0, R1", 2049) == 0x6800U);
  CHECK(made("F2I.F16.NTZ R0, R1", 0xc100) == static_cast<std::uint32_t>(-2));
  CHECK_THROWS_AS(made("F2FP.F16.F32.PACK_AB.RZ R0, R1, R2", 0), Unknown);
}

TEST_CASE("pairs of halves are compared") {
  const auto predicates = [](const char* line, std::uint32_t a, std::uint32_t b) {
    return result_of({line, "SEL R0, 0x1, RZ, P0", "@P1 IADD3 R0, R0, 0x2, RZ"},
                     {Lanes{a}, Lanes{b}})[0];
  };
  CHECK(predicates("HSETP2.LT.AND P0, P1, R1, R2, PT", one_two, three_half) == 2);
  CHECK(predicates("HSETP2.GT.AND P0, P1, R1, R2, PT", one_two, three_half) == 1);
  CHECK(predicates("HSETP2.GEU.AND P0, PT, R1.H0_H0, 0.5, 0.5, PT", 0x7fff, 0) == 1);
  CHECK(predicates("HSETP2.GT.AND P0, PT, |R1|.H0_H0, RZ.H0_H0, PT", 0x8001, 0) == 1);
  CHECK(predicates("HSETP2.EQ.AND P0, P1, R1.H0_H0, 2, 1, PT", one_two, 0) == 2);
  CHECK(made("HSET2.BF.GT.AND R0, R1, R2, PT", one_two, three_half) == 0x3c00U);
  CHECK(made("HSET2.GT.AND R0, R2, R1, PT", one_two, three_half) == 0xffff0000U);
  CHECK(made("HMNMX2 R0, R1, R2, PT", one_two, three_half) == 0x3c003800U);
  CHECK(made("HMNMX2 R0, R1, R2, !PT", one_two, 0x42007fff) == 0x42004000U);
}
