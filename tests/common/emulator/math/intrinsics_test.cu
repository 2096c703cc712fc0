// The functions that CUDA adds to C++.

#include <math_constants.h>

#include <limits>

#include "device.h"

namespace {

template <class T>
__global__ void atomics(T* cells) {
  const T i = static_cast<T>(threadIdx.x);
  atomicAdd(&cells[0], static_cast<T>(1));
  atomicMin(&cells[1], i);
  atomicMax(&cells[2], i);
  atomicAnd(&cells[3], static_cast<T>(~(T{1} << threadIdx.x % 8)));
  atomicOr(&cells[4], static_cast<T>(T{1} << threadIdx.x % 8));
  atomicXor(&cells[5], i);
  T seen = cells[6];
  while (true) {
    const T before = atomicCAS(&cells[6], seen, static_cast<T>(seen + 2));
    if (before == seen) break;
    seen = before;
  }
  if (threadIdx.x == 7) cells[8] = atomicExch(&cells[7], static_cast<T>(70));
}

__global__ void atomics_of_one_type(unsigned* counter, int* difference, float* sum, double* sum2) {
  counter[1 + threadIdx.x] = atomicInc(&counter[0], 4);
  atomicSub(difference, 3);
  atomicAdd(sum, 0.5f);
  atomicAdd(sum2, 0.25);
}

__global__ void add_vectors(float* sums) {
  __builtin_assume(sums != nullptr);
  atomicAdd(reinterpret_cast<float2*>(sums), make_float2(1, 2));
  const float2 old = atomicAdd_block(reinterpret_cast<float2*>(sums), make_float2(0, 0));
  if (threadIdx.x == 0) sums[2] = old.x > 0 && old.y == 2 * old.x;
  atomicAdd(reinterpret_cast<float4*>(sums + 4), make_float4(1, 2, 3, 4));
}

__global__ void count_down(unsigned* counter) { counter[1 + threadIdx.x] = atomicDec(counter, 2); }

__global__ void hints(const float4* in, float4* out) {
  out[0] = __ldg(&in[0]);
  __stcs(&out[1], __ldcs(&in[1]));
  __stcg(&out[2], __ldcg(&in[2]));
  __stwt(&out[3], __ldca(&in[3]));
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

__global__ void time_passes(long long* elapsed) {
  const long long start = clock64();
  while (clock64() == start) {
  }
  *elapsed = clock64() - start;
}

__global__ void signs(const unsigned char* bytes, bool* negative) {
  negative[threadIdx.x] = static_cast<char>(bytes[threadIdx.x]) < 0;
}

/// What is left is 0 if the product is rounded before the subtraction.
__global__ void rounding_error(float factor, float rounded_square, float* left) {
  *left = factor * factor - rounded_square;
}

}  // namespace

TEST_CASE("integer atomics of every type") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    DeviceArray<T> cells(std::vector<T>{5, 100, 3, 0xff, 0, 0, 10, 7, 0});
    atomics<<<2, 64>>>(static_cast<T*>(cells));
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(cells.values() == std::vector<T>{133, 0, 63, 0, 0xff, 0, 266, 70, 70});
  };
  check(0);
  check(0u);
  check(0ull);
}

TEST_CASE("atomics that only one type has") {
  DeviceArray<unsigned> counter(std::vector<unsigned>(13, 0));
  DeviceArray<int> difference(std::vector<int>{0});
  DeviceArray<float> sum(std::vector<float>{0});
  DeviceArray<double> sum2(std::vector<double>{0});
  atomics_of_one_type<<<1, 12>>>(counter, difference, sum, sum2);
  REQUIRE(counter.values() == std::vector<unsigned>{2, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1});
  REQUIRE(difference.values()[0] == -36);
  REQUIRE(sum.values()[0] == 6.0f);
  REQUIRE(sum2.values()[0] == 3.0);
  DeviceArray<unsigned> down(std::vector<unsigned>(6, 9));
  count_down<<<1, 5>>>(down);
  REQUIRE(down.values() == std::vector<unsigned>{1, 9, 2, 1, 0, 2});
}

TEST_CASE("cache hints load and store; clock64() grows") {
  std::vector<float4> in(4);
  for (int i = 0; i < 4; ++i) in[i] = make_float4(i, i + 1, i + 2, i + 3);
  DeviceArray<float4> device_in(in), out(4);
  hints<<<1, 1>>>(device_in, out);
  REQUIRE(std::memcmp(out.values().data(), in.data(), sizeof(float4) * 4) == 0);
  DeviceArray<long long> elapsed(1);
  time_passes<<<1, 1>>>(elapsed);
  REQUIRE(elapsed.values()[0] > 0);
}

TEST_CASE("char is signed and products are rounded, whatever the machine") {
  DeviceArray<unsigned char> bytes(std::vector<unsigned char>{127, 128, 200});
  DeviceArray<bool> negative(3);
  signs<<<1, 3>>>(bytes, negative);
  bool found[3];
  REQUIRE(cudaMemcpy(found, negative, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE((!found[0] && found[1] && found[2]));

  const volatile float factor = 1 + 0x1p-12f;
  const volatile float rounded_square = factor * factor;
  DeviceArray<float> left(1);
  rounding_error<<<1, 1>>>(factor, rounded_square, left);
  REQUIRE(left.values() == std::vector<float>{0});
}

TEST_CASE("bit functions") {
  REQUIRE(__popc(0xf0f0u) == 8);
  REQUIRE(__popcll(~0ull) == 64);
  REQUIRE((__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41));
  REQUIRE((__clz(0) == 32 && __clz(1) == 31 && __clzll(1) == 63));
  REQUIRE((__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u));
  REQUIRE(__brevll(1ull) == 1ull << 63);
  REQUIRE(__byte_perm(0x33221100u, 0x77665544u, 0x7430u) == 0x77443300u);
  REQUIRE(__byte_perm(0x000000f0u, 0, 0x0008u) == 0xf0f0f0ffu);
  REQUIRE(__funnelshift_l(0x80000001u, 0x1u, 4) == 0x18u);
  REQUIRE(__funnelshift_r(0x80000001u, 0x1u, 4) == 0x18000000u);
  REQUIRE((__funnelshift_lc(3u, 5u, 32) == 3u && __funnelshift_rc(3u, 5u, 40) == 5u));
  REQUIRE((__mul24(-3, 5) == -15 && __umul24(0xff000002u, 3u) == 6u));
  REQUIRE((__mulhi(1 << 30, -8) == -2 && __umulhi(0x80000000u, 6u) == 3u));
  REQUIRE((__mul64hi(1ll << 62, -8) == -2 && __umul64hi(1ull << 63, 6) == 3));
  REQUIRE((__sad(-5, 7, 1u) == 13u && __usad(2u, 9u, 1u) == 8u));
  REQUIRE((__hadd(INT_MAX, INT_MAX) == INT_MAX && __rhadd(1, 2) == 2 && __uhadd(1u, 2u) == 1u));
}

TEST_CASE("bits are reinterpreted, not converted") {
  REQUIRE((__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f));
  REQUIRE((__float_as_uint(-0.0f) == 0x80000000u && __uint_as_float(0x3f000000u) == 0.5f));
  REQUIRE(__double_as_longlong(1.0) == 0x3ff0000000000000ll);
  REQUIRE(__longlong_as_double(0x4000000000000000ll) == 2.0);
  REQUIRE(__hiloint2double(__double2hiint(3.7), __double2loint(3.7)) == 3.7);
}

TEST_CASE("conversions round as their names say, and saturate") {
  REQUIRE((__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4));
  REQUIRE(
      (__float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3));
  REQUIRE((__float2int_rn(1e20f) == INT_MAX && __float2int_rn(-1e20f) == INT_MIN));
  REQUIRE((__float2int_rn(CUDART_NAN_F) == 0 && __float2uint_rn(-5.0f) == 0u));
  REQUIRE((__double2ll_rn(1e10) == 10000000000ll && __double2uint_rz(3.99) == 3u));
  REQUIRE((__int2float_rn(16777217) == 16777216.0f && __double2float_rn(0.5) == 0.5f));
}

TEST_CASE("floating-point intrinsics") {
  REQUIRE((__fadd_rn(1, 2) == 3 && __fsub_rn(1, 2) == -1 && __fmul_rn(3, 2) == 6));
  REQUIRE((__fmaf_rn(2, 3, 4) == 10 && __fdiv_rn(1, 4) == 0.25f && __frcp_rn(8) == 0.125f));
  REQUIRE((__fsqrt_rn(9) == 3 && __frsqrt_rn(4) == 0.5f && __fdividef(6, 3) == 2));
  REQUIRE((__saturatef(-1) == 0 && __saturatef(2) == 1 && __saturatef(0.25f) == 0.25f));
  REQUIRE(__saturatef(CUDART_NAN_F) == 0);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); };
  REQUIRE((near(__expf(1), 2.718281828) && near(__logf(10), 2.302585093)));
  REQUIRE((near(__powf(2, 0.5f), 1.414213562) && near(__exp10f(2), 100) && near(__log2f(8), 3)));
  REQUIRE((near(__sinf(1), 0.841470985) && near(__cosf(1), 0.540302306)));
  REQUIRE(near(__tanhf(1), 0.761594156));
  float s = 0, c = 0;
  __sincosf(1, &s, &c);
  REQUIRE((near(s, 0.841470985) && near(c, 0.540302306)));
}

TEST_CASE("mathematics in the global namespace") {
  REQUIRE((min(3, 4u) == 3u && max(-1, 1) == 1 && max(2.0f, 3.0) == 3.0 && min(1ll, 2ll) == 1));
  REQUIRE((min(CUDART_NAN_F, 1.0f) == 1.0f && max(1.0f, CUDART_NAN_F) == 1.0f));
  REQUIRE(max(-1, 1u) == 0xffffffffu);
  REQUIRE((rsqrtf(16) == 0.25f && rsqrt(4.0) == 0.5 && rcbrt(8.0) == 0.5));
  REQUIRE((norm3df(2, 3, 6) == 7 && rnorm3df(0, 3, 4) == 0.2f && norm4df(1, 1, 1, 1) == 2));
  REQUIRE(std::abs(sinpi(0.5) - 1) < 1e-15);
  REQUIRE(std::abs(normcdf(0.0) - 0.5) < 1e-15);
  REQUIRE((fminf(1, 2) == 1 && fabsf(-3) == 3 && sqrtf(4) == 2 && abs(-3.5f) == 3.5f));
  REQUIRE((CUDART_INF_F > CUDART_MAX_NORMAL_F && CUDART_PI > 3.14));
}

TEST_CASE("the relatives of the error function are its inverses") {
  for (const double x : {1e-300, 1e-20, 1e-3, 0.1, 0.4, 0.5, 0.7, 0.99, 1.0, 1.3, 1.999}) {
    CAPTURE(x);
    // The last bit of y changes erfc(y) by so much more.
    const double steepness = 1 + erfcinv(x) * erfcinv(x);
    REQUIRE(std::abs(std::erfc(erfcinv(x)) - x) <= 1e-14 * steepness * x);
    if (x < 1) REQUIRE(std::abs(std::erf(erfinv(x)) - x) <= 4e-15 * x);
    if (x < 1) REQUIRE(std::abs(normcdf(normcdfinv(x)) - x) <= 1e-14 * steepness * x);
    REQUIRE(std::abs(erfcx(x) - std::exp(x * x) * std::erfc(x)) < 1e-14);
  }
  REQUIRE((erfinv(-0.7) == -erfinv(0.7) && erfinv(0.0) == 0 && std::isnan(erfinv(1.5))));
  REQUIRE((std::isinf(erfinv(1.0)) && std::isinf(erfcinvf(0.0f))));
  // 1 / (x * sqrt(pi)) * (1 - 1 / (2 * x * x) + ...)
  REQUIRE(std::abs(erfcx(100.0) * 100 * std::sqrt(CUDART_PI) - (1 - 5e-5 + 7.5e-9)) < 1e-11);
  REQUIRE(std::abs(erfcx(24.99) - erfcx(25.01)) < 2e-5);
  REQUIRE(std::abs(cyl_bessel_i0f(1.0f) - 1.2660659f) < 1e-6f);
  REQUIRE(std::abs(cyl_bessel_i1f(-1.0f) + 0.5651591f) < 1e-6f);
  const float sides[] = {2, 3, 6};
  REQUIRE((normf(3, sides) == 7.0f && rnormf(2, sides + 1) == 1 / std::sqrt(45.0f)));
}

TEST_CASE("the n-th bit that is set is found from a place on") {
  REQUIRE((__fns(0b1011'0000, 0, 1) == 4 && __fns(0b1011'0000, 0, 3) == 7));
  REQUIRE((__fns(0b1011'0000, 31, -1) == 7 && __fns(0b1011'0000, 6, -2) == 4));
  REQUIRE((__fns(0b1011'0000, 5, 0) == 5 && __fns(0b1011'0000, 6, 0) == ~0u));
  REQUIRE((__fns(0b1011'0000, 5, 3) == ~0u && __fns(0, 0, 1) == ~0u));
}

TEST_CASE("products of halves and bytes are added with their signs") {
  REQUIRE(__dp2a_lo(static_cast<int>(0xffff'0003), static_cast<int>(0x0102'fe05), 7) ==
          7 + 3 * 5 + 2);
  REQUIRE(__dp2a_hi(static_cast<int>(0xffff'0003), static_cast<int>(0xff02'fe05), 7) ==
          7 + 3 * 2 + 1);
  REQUIRE(__dp2a_lo(0xffff'0003u, 0x0102'fe05u, 7u) == 7 + 15 + 65535u * 254);
  REQUIRE(__dp2a_hi(0xffff'0003u, 0x0102'fe05u, 7u) == 7 + 6 + 65535u);
}

TEST_CASE("products of bytes are added with their signs") {
  const int with_signs = __dp4a(static_cast<int>(0xff02'0380), 0x0405'0607, 1000);
  REQUIRE(with_signs == 1000 - 4 + 10 + 18 - 896);
  REQUIRE(__dp4a(0xff02'0380u, 0x0405'0607u, 1u) == 1 + 1020 + 10 + 18 + 896);
  REQUIRE(__dp4a(make_char4(1, -2, 3, 4), make_char4(5, 6, 7, -8), 0) == 5 - 12 + 21 - 32);
  REQUIRE(__dp4a(make_uchar4(1, 255, 3, 4), make_uchar4(5, 6, 7, 8), 2u) == 2 + 5 + 1530 + 21 + 32);
  REQUIRE(__dp4a(0x01010101, 0x01010101, 0x7fffffff) == static_cast<int>(0x80000003));
}

TEST_CASE("atomics add vectors element by element") {
  DeviceArray<float> sums(8);
  REQUIRE(cudaMemset(sums, 0, 8 * sizeof(float)) == cudaSuccess);
  add_vectors<<<1, 32>>>(sums);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(sums.values() == std::vector<float>{32, 64, 1, 0, 32, 64, 96, 128});
}

TEST_CASE("vector types have CUDA's sizes and alignments") {
  REQUIRE((sizeof(float3) == 12 && alignof(float3) == 4));
  REQUIRE((sizeof(float2) == 8 && alignof(float2) == 8));
  REQUIRE((sizeof(float4) == 16 && alignof(float4) == 16));
  REQUIRE((alignof(int2) == 8 && alignof(uint4) == 16 && alignof(char2) == 2));
  REQUIRE((alignof(uchar4) == 4 && alignof(short4) == 8 && sizeof(ushort3) == 6));
  REQUIRE((alignof(double2) == 16 && sizeof(double3) == 24 && sizeof(double4) == 32));
  REQUIRE((sizeof(longlong2) == 16 && sizeof(dim3) == 12));
  REQUIRE((sizeof(double4_16a) == 32 && alignof(double4_16a) == 16));
  REQUIRE(
      (alignof(double4_32a) == 32 && alignof(ulonglong4_32a) == 32 && alignof(long4_16a) == 16));
  REQUIRE((make_double4_32a(1, 2, 3, 4).w == 4 && make_longlong4_16a(1, 2, 3, 4).z == 3));
  const dim3 extent = make_uint3(1, 2, 3);
  REQUIRE((extent.y == 2 && dim3(7).y == 1 && make_int4(1, 2, 3, 4).w == 4));
}
