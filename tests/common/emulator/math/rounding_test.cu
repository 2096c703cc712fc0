// Arithmetic with a direction: the result is the neighbor on that side of the exact one.

#include <cuComplex.h>

#include <climits>
#include <cmath>
#include <limits>

#include "device.h"

namespace {

constexpr float tiny = 1e-20f;

/// Whether the two results are the nearest floats below and above a number that is no float.
bool enclose(float down, float up) { return std::nextafter(down, INFINITY) == up; }
bool enclose(double down, double up) { return std::nextafter(down, INFINITY) == up; }

}  // namespace

TEST_CASE("a sum is rounded down, up, or toward zero") {
  REQUIRE(__fadd_rd(1.0f, tiny) == 1.0f);
  REQUIRE(__fadd_ru(1.0f, tiny) == std::nextafter(1.0f, 2.0f));
  REQUIRE(__fadd_rz(-1.0f, tiny) == std::nextafter(-1.0f, 0.0f));
  REQUIRE(__fadd_rd(1.0f, 2.0f) == 3.0f);
  REQUIRE(__fadd_ru(1.0f, 2.0f) == 3.0f);
  REQUIRE(__dsub_ru(1.0, 1e-30) == 1.0);
  REQUIRE(__dsub_rd(1.0, 1e-30) == std::nextafter(1.0, 0.0));
}

TEST_CASE("products, quotients, roots and fused operations are enclosed") {
  for (const float x : {0.1f, 3.3f, 7.7f, 1234.56f}) {
    REQUIRE(enclose(__fmul_rd(x, 0.3f), __fmul_ru(x, 0.3f)));
    REQUIRE(enclose(__fdiv_rd(x, 0.7f), __fdiv_ru(x, 0.7f)));
    REQUIRE(enclose(__fsqrt_rd(x), __fsqrt_ru(x)));
    REQUIRE(enclose(__fmaf_rd(x, x, tiny), __fmaf_ru(x, x, tiny)));
    REQUIRE(enclose(__ddiv_rd(double{x}, -0.7), __ddiv_ru(double{x}, -0.7)));
    REQUIRE(enclose(__drcp_rd(double{x}), __drcp_ru(double{x})));
    const double exact = double{x} * double{0.3f};
    REQUIRE(double{__fmul_rd(x, 0.3f)} < exact);
    REQUIRE(double{__fmul_ru(x, 0.3f)} > exact);
  }
}

TEST_CASE("what overflows stops at the largest number on one side") {
  constexpr float largest = std::numeric_limits<float>::max();
  REQUIRE(__fmul_rd(largest, 2.0f) == largest);
  REQUIRE(__fmul_rz(largest, -2.0f) == -largest);
  REQUIRE(std::isinf(__fmul_ru(largest, 2.0f)));
  REQUIRE(std::isinf(__fdiv_rd(1.0f, 0.0f)));
  REQUIRE(std::isinf(__fadd_rd(INFINITY, 1.0f)));
}

TEST_CASE("conversions have directions too") {
  REQUIRE(__int2float_rd(16777217) == 16777216.0f);
  REQUIRE(__int2float_ru(16777217) == 16777218.0f);
  REQUIRE(__double2float_rz(-0.1) == std::nextafter(-0.1f, 0.0f));
  constexpr long long between = (1ll << 40) + 1;
  REQUIRE(__ll2float_rd(between) == 1099511627776.0f);
  REQUIRE(__ll2float_ru(between) == 1099511758848.0f);
  REQUIRE(__ll2float_rz(-between) == -1099511627776.0f);
  REQUIRE(__ull2float_rd(~0ull) == 18446742974197923840.0f);
  REQUIRE(__ull2float_ru(~0ull) == 18446744073709551616.0f);
  REQUIRE(__ll2double_rd(LLONG_MAX) == 9223372036854774784.0);
  REQUIRE(__ll2double_ru(LLONG_MAX) == 9223372036854775808.0);
  REQUIRE(__ll2double_rz(LLONG_MIN + 1) == -9223372036854774784.0);
  REQUIRE(__ull2double_rz(~0ull) == 18446744073709549568.0);
  REQUIRE(__ull2double_ru(~0ull) == 18446744073709551616.0);
}

TEST_CASE("complex numbers are multiplied and divided, also near the limits") {
  const cuDoubleComplex a = make_cuDoubleComplex(3, 4);
  REQUIRE(cuCabs(a) == 5);
  REQUIRE(cuCreal(cuCmul(a, cuConj(a))) == 25);
  REQUIRE(cuCimag(cuCfma(a, a, a)) == 28);
  const cuFloatComplex large = make_cuFloatComplex(1e30f, 1e30f);
  REQUIRE(cuCrealf(cuCdivf(large, large)) == 1);
  REQUIRE(cuCimagf(cuCdivf(large, large)) == 0);
}
