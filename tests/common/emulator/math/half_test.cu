// Numbers of 16 bits: what is rounded, and what stays.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <climits>
#include <cmath>

#include "device.h"

namespace {

__global__ void arithmetic(half* h, __half2* pair, __nv_bfloat16* b) {
  h[0] = __hfma(h[0], __float2half(2.0f), h[1]);
  h[1] += h[0];
  pair[0] = __hadd2(pair[0], pair[1]);
  b[0] = b[0] * b[1];
  atomicAdd(&h[2], __float2half(1.0f));
}

/// How many of all bit patterns change when they are turned into a float and back.
template <class T>
int changed() {
  int count = 0;
  for (unsigned i = 0; i < 65536; ++i) {
    const auto bits = static_cast<unsigned short>(i);
    const float value = std::bit_cast<T>(bits);
    if (!std::isnan(value) && std::bit_cast<unsigned short>(T(value)) != bits) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("every number of 16 bits survives as a float") {
  REQUIRE(changed<__half>() == 0);
  REQUIRE(changed<__nv_bfloat16>() == 0);
}

TEST_CASE("a float is rounded to the nearest half, and to the even one of two") {
  REQUIRE(__half2float(65519.0f) == 65504.0f);
  REQUIRE(std::isinf(__half2float(65520.0f)));
  REQUIRE(__half2float(2049.0f) == 2048.0f);
  REQUIRE(__half2float(2051.0f) == 2052.0f);
  REQUIRE(__half2float(5.9604645e-8f) == 5.9604645e-8f);  // the smallest
  REQUIRE(__half2float(2.9e-8f) == 0.0f);
  REQUIRE(std::isnan(__half2float(NAN)));
  REQUIRE(__bfloat162float(__float2bfloat16(3.14159265f)) == 3.140625f);
}

TEST_CASE("a conversion rounds in the direction of its name") {
  // 2049 lies in the middle of two halves, 0.1 a little above one.
  REQUIRE((__float2half_rz(2049.0f) == half(2048) && __float2half_ru(2049.0f) == half(2050)));
  REQUIRE((__float2half_rd(-2049.0f) == half(-2050) && __float2half_rz(-2049.0f) == half(-2048)));
  REQUIRE(__half_as_ushort(__float2half_ru(0.1f)) == __half_as_ushort(__float2half_rd(0.1f)) + 1);
  REQUIRE((__float2half_rd(1e6f) == half(65504.0f) && std::isinf(float(__float2half_ru(1e6f)))));
  REQUIRE(__half_as_ushort(__float2half_ru(1e-9f)) == 1);
  REQUIRE(__half_as_ushort(__float2half_rd(-1e-9f)) == 0x8001);
  REQUIRE(__half_as_ushort(__float2half_ru(-1e-9f)) == 0x8000);
  REQUIRE((__ushort2half_rn(2051) == half(2052) && __int2half_rz(-70000) == half(-65504.0f)));
  // A float in between would make the middle of two out of this number.
  REQUIRE(__bfloat162float(__ll2bfloat16_rn((1ll << 40) + (1ll << 32) + 1)) ==
          std::ldexp(1.0f + 1.0f / 128, 40));
  REQUIRE((__half2int_rn(half(2.5f)) == 2 && __half2int_ru(half(2.5f)) == 3));
  REQUIRE((__half2uint_rd(half(-3)) == 0u && __half2char_rz(half(1000)) == 127));
  REQUIRE((__half2int_rn(half(NAN)) == 0 && __half2ll_rd(half(NAN)) == LLONG_MIN));
  REQUIRE((__double2int_rn(NAN) == INT_MIN && __float2int_rn(NAN) == 0));
}

TEST_CASE("results of halves are limited, and NaN is compared, as the names say") {
  const half nan(NAN), one(1), two(2);
  REQUIRE((__hadd_sat(one, two) == one && __hsub_sat(one, two) == half(0)));
  REQUIRE((__hmul_sat(nan, one) == half(0) && __hfma_sat(half(0.25f), two, half(0)) == half(0.5f)));
  REQUIRE((__hfma_relu(one, two, half(-5)) == half(0) && __hisnan(__hfma_relu(nan, one, one))));
  REQUIRE((__hmax(nan, one) == one && __hisnan(__hmax_nan(nan, one))));
  REQUIRE((__hltu(nan, one) && !__hlt(nan, one) && __hneu(one, two) && !__hgeu(one, two)));
  const __half2 a = __halves2half2(one, nan), b = __halves2half2(two, two);
  REQUIRE((__hlt2_mask(a, b) == 0xffff && __hltu2_mask(a, b) == 0xffffffff && __hbltu2(a, b)));
  REQUIRE((__low2float(__hisnan2(a)) == 0 && __high2float(__hisnan2(a)) == 1));
  // (1 + 2i) (3 + 4i) + (5 + 6i) = 0 + 16i
  const __half2 sum =
      __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(5, 6));
  REQUIRE((__low2float(sum) == 0 && __high2float(sum) == 16));
}

TEST_CASE("functions of halves and pairs are those of floats") {
  const auto is = [](float value, float wanted) { return std::abs(value - wanted) < 2e-3f * 8; };
  REQUIRE((is(hexp2(half(3)), 8) && is(hlog2(half(8)), 3) && is(hexp10(half(0.5f)), 3.1623f)));
  REQUIRE((is(hsin(half(1)), 0.84147f) && is(hcos(half(1)), 0.5403f) && is(hrcp(half(4)), 0.25f)));
  REQUIRE((hfloor(half(-1.5f)) == half(-2) && hceil(half(-1.5f)) == half(-1)));
  REQUIRE((htrunc(half(-1.5f)) == half(-1) && hrint(half(2.5f)) == half(2)));
  const __half2 roots = h2sqrt(__floats2half2_rn(4, 9));
  REQUIRE((__low2float(roots) == 2 && __high2float(roots) == 3));
  const __nv_bfloat162 pair = __lowhigh2highlow(__floats2bfloat162_rn(1, 2));
  REQUIRE((__low2float(pair) == 2 && __high2float(pair) == 1));
  REQUIRE((__hbeq2(roots, roots) && !__hbgt2(roots, __half2half2(half(2)))));
  REQUIRE((__low2float(__hgt2(roots, __half2half2(half(2)))) == 0 && __hisinf(half(-1e6f)) == -1));
}

TEST_CASE("kernels compute with halves, bfloat16 and pairs") {
  DeviceArray<half> h(std::vector<half>{1.5f, 0.25f, 0.0f});
  DeviceArray<__half2> pair(std::vector<__half2>{__floats2half2_rn(1, 2), __floats2half2_rn(3, 4)});
  DeviceArray<__nv_bfloat16> b(std::vector<__nv_bfloat16>{3.0f, 0.5f});
  arithmetic<<<1, 1>>>(h, pair, b);
  REQUIRE(static_cast<float>(h.values()[0]) == 3.25f);
  REQUIRE(static_cast<float>(h.values()[1]) == 3.5f);
  REQUIRE(static_cast<float>(h.values()[2]) == 1.0f);
  REQUIRE(__low2float(pair.values()[0]) == 4.0f);
  REQUIRE(__high2float(pair.values()[0]) == 6.0f);
  REQUIRE(static_cast<float>(b.values()[0]) == 1.5f);
}
