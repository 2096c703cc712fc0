#include <bit>
#include <cmath>
#include <limits>

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

const Lanes x = lanes_of([](std::size_t i) { return as_bits(static_cast<float>(i) * 1.7F - 20); });
const Lanes y = lanes_of([](std::size_t i) { return as_bits(3 - static_cast<float>(i) / 7); });
const Lanes nan_in_5 = lanes_of([](std::size_t i) { return i == 5 ? 0x7fc00000U : y[i]; });

template <class F>
Lanes floats(F&& value) {
  return lanes_of([&](std::size_t i) { return as_bits(value(as_float(x[i]), as_float(y[i]))); });
}

}  // namespace

TEST_CASE("floats are added, multiplied and negated") {
  CHECK(result_of({"FADD R0, R1, -R2"}, {x, y}) == floats([](float a, float b) { return a - b; }));
  CHECK(result_of({"FMUL R0, |R1|, R2"}, {x, y}) ==
        floats([](float a, float b) { return std::fabs(a) * b; }));
  CHECK(result_of({"FFMA R0, R1, R2, -R1"}, {x, y}) ==
        floats([](float a, float b) { return std::fma(a, b, -a); }));
  CHECK(result_of({"FADD R0, R1, 1.5"}, {x, y}) == floats([](float a, float) { return a + 1.5F; }));
}

TEST_CASE("floats are compared, and NaN with nothing") {
  const auto compared = [](const char* comparison) {
    return result_of({comparison, "SEL R0, 0x1, RZ, P0"}, {x, nan_in_5});
  };
  CHECK(compared("FSETP.LT.AND P0, PT, R1, R2, PT") ==
        lanes_of([](std::size_t i) { return i != 5 && as_float(x[i]) < as_float(y[i]) ? 1 : 0; }));
  CHECK(compared("FSETP.GEU.AND P0, PT, R1, R2, PT") ==
        lanes_of([](std::size_t i) { return i == 5 || as_float(x[i]) >= as_float(y[i]) ? 1 : 0; }));
  CHECK(result_of({"FMNMX R0, R1, R2, !PT"}, {x, y}) ==
        floats([](float a, float b) { return std::fmax(a, b); }));
  CHECK(result_of({"FSETP.GT.AND P0, PT, R1, RZ, PT", "FSEL R0, R1, R2, P0"}, {x, y}) ==
        floats([](float a, float b) { return a > 0 ? a : b; }));
}

TEST_CASE("special functions are computed") {
  CHECK(result_of({"MUFU.RCP R0, R2"}, {x, y}) == floats([](float, float b) { return 1 / b; }));
  CHECK(result_of({"MUFU.RSQ R0, |R2|"}, {x, y}) ==
        floats([](float, float b) { return 1 / std::sqrt(std::fabs(b)); }));
}

TEST_CASE("integers become floats, and floats integers") {
  const Lanes whole = numbers(9);
  CHECK(result_of({"I2F R0, R1"}, {whole}) == lanes_of([&](std::size_t i) {
          return as_bits(static_cast<float>(static_cast<std::int32_t>(whole[i])));
        }));
  CHECK(as_float(result_of({"I2F.U32.RP R0, R1"}, {Lanes{0xfffffff1U}})[0]) == 4294967296.0F);
  CHECK(as_float(result_of({"I2F.U32.RP R0, R1"}, {Lanes{0x01000001U}})[0]) == 16777218.0F);
  CHECK(result_of({"F2I.TRUNC.NTZ R0, R1"}, {x}) ==
        lanes_of([](std::size_t i) { return static_cast<std::int32_t>(as_float(x[i])); }));
  CHECK(result_of({"F2I.FLOOR.NTZ R0, R1"}, {x}) ==
        lanes_of([](std::size_t i) { return std::lround(std::floor(as_float(x[i]))); }));
  CHECK(result_of({"F2I.U32.TRUNC.NTZ R0, R1"}, {Lanes{as_bits(-3.0F)}})[0] == 0);
  CHECK(result_of({"F2I.U32.TRUNC.NTZ R0, R1"}, {Lanes{as_bits(1e20F)}})[0] == 0xffffffffU);
}

TEST_CASE("parts of registers become floats") {
  const Lanes whole = numbers(9);
  CHECK(result_of({"I2F.U8 R0, R1.B3"}, {whole}) ==
        lanes_of([&](std::size_t i) { return as_bits(static_cast<float>(whole[i] >> 24U)); }));
  CHECK(result_of({"I2F.S8 R0, R1"}, {whole}) == lanes_of([&](std::size_t i) {
          return as_bits(static_cast<float>(static_cast<std::int8_t>(whole[i])));
        }));
  CHECK(result_of({"I2F.S16 R0, R1"}, {whole}) == lanes_of([&](std::size_t i) {
          return as_bits(static_cast<float>(static_cast<std::int16_t>(whole[i])));
        }));
}

TEST_CASE("integers of 64 bits become floats") {
  const auto made = [](const char* line, std::uint64_t from) {
    return as_float(result_of({line}, {Lanes{static_cast<std::uint32_t>(from)},
                                       Lanes{static_cast<std::uint32_t>(from >> 32U)}})[0]);
  };
  CHECK(made("I2F.S64 R0, R1", ~std::uint64_t{0}) == -1);
  CHECK(made("I2F.U64 R0, R1", ~std::uint64_t{0}) == 0x1p64F);
  CHECK(made("I2F.U64.RP R0, R1", (std::uint64_t{1} << 40U) + 1) == 0x1p40F + 0x1p17F);
  CHECK(made("I2F.U64 R0, R1", (std::uint64_t{1} << 40U) + 1) == 0x1p40F);
}

TEST_CASE("floats are rounded to whole numbers") {
  const auto made = [](const char* line, float from) {
    return result_of({line}, {Lanes{as_bits(from)}})[0];
  };
  CHECK(made("FRND R0, R1", 2.5F) == as_bits(2));
  CHECK(made("FRND R0, R1", -0.5F) == as_bits(-0.0F));
  CHECK(made("FRND.FLOOR R0, R1", -0.5F) == as_bits(-1));
  CHECK(made("FRND.CEIL R0, R1", 1e-30F) == as_bits(1));
  CHECK(made("FRND.TRUNC R0, |R1|", -7.9F) == as_bits(7));
  CHECK(made("FRND.TRUNC R0, R1", 1e30F) == as_bits(1e30F));
  CHECK(made("F2I.NTZ R0, R1", 3.5F) == 4);
  CHECK(made("F2I.NTZ R0, R1", -2.5F) == static_cast<std::uint32_t>(-2));
  CHECK(made("F2I.TRUNC.NTZ R0, R1", std::nanf("")) == 0);
}

TEST_CASE("a double becomes the nearest float") {
  const auto made = [](const char* line, double from) {
    const auto bits = std::bit_cast<std::uint64_t>(from);
    return as_float(result_of({line}, {Lanes{static_cast<std::uint32_t>(bits)},
                                       Lanes{static_cast<std::uint32_t>(bits >> 32U)}})[0]);
  };
  CHECK(made("F2F.F32.F64 R0, R1", 1 + 0x1p-24) == 1);
  CHECK(made("F2F.F32.F64 R0, R1", 1 + 0x1.8p-23) == 1 + 0x1p-22F);
  CHECK(made("F2F.F32.F64.RP R0, R1", 1 + 0x1p-30) == 1 + 0x1p-23F);
  CHECK(made("F2F.F32.F64.RZ R0, R1", 1e300) == std::numeric_limits<float>::max());
  CHECK(std::isinf(made("F2F.F32.F64 R0, R1", 1e300)));
}

TEST_CASE("sums of floats are rounded to one side, or kept from 0 to 1") {
  const auto made = [](const char* line, float first, float second) {
    return as_float(result_of({line}, {Lanes{as_bits(first)}, Lanes{as_bits(second)}})[0]);
  };
  CHECK(made("FADD.RZ R0, R1, R2", 0.49999997F, 0.5F) < 1);
  CHECK(made("FADD R0, R1, R2", 0.49999997F, 0.5F) == 1);
  CHECK(made("FADD.RP R0, R1, R2", 1, 0x1p-40F) == 1 + 0x1p-23F);
  CHECK(made("FFMA.RM R0, R1, R2, 12582913", 0.0057F, 100) == 12582913);
  CHECK(made("FFMA.RM R0, R1, R2, -1", 0x1p-40F, -1) == -1 - 0x1p-23F);
  CHECK(made("FMUL.RZ R0, R1, R2", 1 + 0x1p-23F, -1 - 0x1p-23F) == -1 - 0x1p-22F);
  CHECK(made("FMUL.RM R0, R1, R2", 1 + 0x1p-23F, -1 - 0x1p-23F) == -1 - 0x1.8p-22F);
  CHECK(made("FFMA.SAT R0, R1, R2, 0.5", 3, 4) == 1);
  CHECK(made("FADD.SAT R0, R1, -R2", 3, 4) == 0);
  CHECK(made("FMUL.SAT R0, R1, R2", 0.5F, std::nanf("")) == 0);
  CHECK(std::isnan(made("FMNMX.NAN R0, R1, R2, PT", 0.5F, std::nanf(""))));
  CHECK(made("FSET.BF.GT.AND R0, R1, R2, PT", 2, 1) == 1);
  CHECK(made("FSET.BF.GT.AND R0, R1, R2, PT", 1, 1) == 0);
}
