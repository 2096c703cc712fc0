#include <bit>
#include <cmath>

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

TEST_CASE("the compiler writes numbers as pairs of halves") {
  CHECK(result_of({"HFMA2.MMA R0, -RZ, RZ, 1.875, 0"})[0] == 0x3f800000U);
  CHECK(result_of({"HFMA2.MMA R0, -RZ, RZ, 0, 5.9604644775390625e-08"})[31] == 1);
}
