#include <cmath>
#include <limits>

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Of all sizes, and in the last lanes what is special.
const Reals a = [] {
  Reals made{};
  for (int i = 0; i < 32; ++i)
    made[static_cast<std::size_t>(i)] = std::ldexp(i * 1.7 - 20.3, i - 9);
  made[25] = 0x1p-1070;
  made[26] = 1 + 0x1p-52;
  made[27] = 1e308;
  made[28] = -0.0;
  made[29] = 0.0;
  made[30] = -infinity;
  made[31] = 0x1p53;
  return made;
}();
const Reals b = [] {
  Reals made{};
  for (std::size_t i = 0; i < 32; ++i) made[i] = 3 - static_cast<double>(i) / 7;
  made[26] = 1 - 0x1p-53;
  made[27] = -1e10;
  made[28] = 0.0;
  made[29] = -0.0;
  made[31] = 1;
  return made;
}();

/// The words of a double in each lane, the lower ones first.
std::vector<Lanes> words_of(const Reals& numbers) {
  const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint64_t>(numbers[i]); };
  return {lanes_of([&](std::size_t i) { return bits(i); }),
          lanes_of([&](std::size_t i) { return bits(i) >> 32U; })};
}

/// The words of both, in R1 to R4.
std::vector<Lanes> both(const Reals& first, const Reals& second) {
  auto made = words_of(first);
  for (const Lanes& it : words_of(second)) made.push_back(it);
  return made;
}
const std::vector<Lanes> inputs = both(a, b);

/// The lanes in which P0 is true, and those in which P1 is.
std::array<Mask, 2> compared(const char* comparison, const std::vector<Lanes>& of) {
  const auto where = [&](const char* pick) {
    const Lanes made = result_of({comparison, pick}, of);
    return lanes_where([&](std::size_t i) { return made[i] != 0; });
  };
  return {where("SEL R0, 0x1, RZ, P0"), where("SEL R0, 0x1, RZ, P1")};
}

double of_words(std::uint32_t low, std::uint32_t high) {
  return std::bit_cast<double>(low | std::uint64_t{high} << 32U);
}

}  // namespace

TEST_CASE("doubles are added, multiplied and negated") {
  CHECK(wide_result_of({"DADD R10, R1, -R3"}, inputs) ==
        doubles_of([](std::size_t i) { return a[i] - b[i]; }));
  CHECK(wide_result_of({"DMUL R10, |R1|, R3"}, inputs) ==
        doubles_of([](std::size_t i) { return std::fabs(a[i]) * b[i]; }));
  CHECK(wide_result_of({"DFMA R10, -R1, R3, |R3|"}, inputs) ==
        doubles_of([](std::size_t i) { return std::fma(-a[i], b[i], std::fabs(b[i])); }));
  CHECK(wide_result_of({"DFMA R10, R1, R3, -R1"}, inputs) ==
        doubles_of([](std::size_t i) { return std::fma(a[i], b[i], -a[i]); }));
}

TEST_CASE("the zeros of doubles keep their sign") {
  CHECK(wide_result_of({"DADD R10, -RZ, |R1|"}, inputs) ==
        doubles_of([](std::size_t i) { return std::fabs(a[i]); }));
  CHECK(wide_result_of({"DADD R10, -RZ, -R1"}, inputs)[29] == 0x8000000000000000U);
  CHECK(wide_result_of({"DADD R10, R1, R3"}, inputs)[28] == 0);
  CHECK(wide_result_of({"DMUL R10, R1, R3"}, inputs)[28] == 0x8000000000000000U);
  CHECK(wide_result_of({"DMUL R10, R1, R1"}, inputs)[28] == 0);
}

TEST_CASE("doubles are rounded as an instruction says") {
  const auto last = [](const char* line) {
    return std::bit_cast<double>(wide_result_of({line}, inputs)[31]);
  };
  // 2^53 + 1 lies between two doubles, and half of their distance from both.
  CHECK(last("DADD R10, R1, R3") == 0x1p53);
  CHECK(last("DADD.RZ R10, R1, R3") == 0x1p53);
  CHECK(last("DADD.RM R10, R1, R3") == 0x1p53);
  CHECK(last("DADD.RP R10, R1, R3") == 0x1p53 + 2);
  CHECK(last("DFMA.RM R10, R1, -R3, -R3") == -0x1p53 - 2);
  CHECK(last("DFMA.RZ R10, R1, -R3, -R3") == -0x1p53);
  // (1 + 2^-52)(1 - 2^-53) is 1 + 2^-53 - 2^-105.
  CHECK(wide_result_of({"DMUL R10, R1, R3"}, inputs)[26] == std::bit_cast<std::uint64_t>(1.0));
  CHECK(wide_result_of({"DMUL.RP R10, R1, R3"}, inputs)[26] ==
        std::bit_cast<std::uint64_t>(1 + 0x1p-52));
  // The next one is rounded to the nearest again.
  CHECK(last("DADD R10, R1, 3") == 0x1p53 + 4);
}

TEST_CASE("immediates, uniform registers and constants are doubles") {
  CHECK(wide_result_of({"DADD R10, R1.reuse, -1"}, inputs) ==
        doubles_of([](std::size_t i) { return a[i] - 1; }));
  CHECK(wide_result_of({"DMUL R10, R1, 1.80143985094819840000e+16"}, inputs) ==
        doubles_of([](std::size_t i) { return a[i] * 0x1p54; }));
  CHECK(wide_result_of({"DADD R10, R3, +INF "}, inputs) ==
        doubles_of([](std::size_t) { return infinity; }));
  CHECK(
      wide_result_of({"UMOV UR6, 0x0", "UMOV UR7, 0x40040000", "DFMA R10, R1, -UR6, R3"}, inputs) ==
      doubles_of([](std::size_t i) { return std::fma(a[i], -2.5, b[i]); }));
  // The size of the block and of the grid are there: 32, 1, 1 and 1, 1, 1.
  CHECK(wide_result_of({"DADD R10, RZ, c[0x0][0x4]"}, inputs)[0] == 0x100000001U);
}

TEST_CASE("doubles are compared, and NaN with nothing") {
  Reals other = b;
  other[5] = not_a_number;
  other[6] = a[6];
  const auto is_so = [&](const char* comparison) {
    return compared(comparison, both(a, other))[0];
  };
  CHECK(is_so("DSETP.LT.AND P0, PT, R1, R3, PT") ==
        lanes_where([&](std::size_t i) { return a[i] < other[i]; }));
  CHECK(is_so("DSETP.GEU.AND P0, PT, R1, R3, PT") ==
        lanes_where([&](std::size_t i) { return !(a[i] < other[i]); }));
  CHECK(is_so("DSETP.NEU.AND P0, PT, |R1|, +INF , PT") == ~(Mask{1} << 30U));
  CHECK(is_so("DSETP.NAN.AND P0, PT, R3, R3, PT") == Mask{1} << 5U);
  CHECK(is_so("DSETP.GT.AND P0, PT, R1, 2.5, PT") ==
        lanes_where([&](std::size_t i) { return a[i] > 2.5; }));
  CHECK(is_so("DSETP.GE.OR P0, PT, R1, R3, PT") == all_lanes);
  CHECK(compared("DSETP.EQ.AND P0, P1, R1, R3, PT", both(a, other))[1] ==
        lanes_where([&](std::size_t i) { return a[i] != other[i]; }));
}

TEST_CASE("a minimum of doubles takes a number before NaN") {
  // As nvcc writes fmin(R1, R3) and fmax(R1, R3).
  const auto extreme = [](const char* comparison, const Reals& x, const Reals& y) {
    return wide_result_of({comparison, "FSEL R11, R2, R4, P0", "SEL R10, R1, R3, P0",
                           "@P1 LOP3.LUT R11, R4, 0x80000, RZ, 0xfc, !PT"},
                          both(x, y));
  };
  Reals x = a, y = b;
  x[3] = not_a_number;
  y[4] = not_a_number;
  x[28] = y[28] = 1;
  x[29] = y[29] = 1;
  CHECK(extreme("DSETP.MIN.AND P0, P1, R1, R3, PT", x, y) ==
        doubles_of([&](std::size_t i) { return std::fmin(x[i], y[i]); }));
  CHECK(extreme("DSETP.MAX.AND P0, P1, R1, R3, PT", x, y) ==
        doubles_of([&](std::size_t i) { return std::fmax(x[i], y[i]); }));
  x[4] = not_a_number;
  CHECK(std::isnan(std::bit_cast<double>(extreme("DSETP.MIN.AND P0, P1, R1, R3, PT", x, y)[4])));
}

TEST_CASE("the upper half of a double may be a number") {
  const auto upper = [](double it) { return std::bit_cast<std::uint64_t>(it) >> 32U; };
  CHECK(result_of({"MUFU.RCP64H R0, 9"})[0] >> 8U == upper(1 / 9.0) >> 8U);
  CHECK(result_of({"MUFU.RSQ64H R0, 0x40220000"})[0] >> 8U == upper(1 / 3.0) >> 8U);
}

TEST_CASE("inverses begin with their upper words") {
  const Lanes rcp = result_of({"MUFU.RCP64H R0, R2"}, inputs);
  const Lanes rsq = result_of({"MUFU.RSQ64H R0, |R2|"}, inputs);
  int wrong = 0;
  for (std::size_t i = 0; i < 25; ++i) {
    wrong += std::fabs(of_words(0, rcp[i]) * a[i] - 1) < 0x1p-19 ? 0 : 1;
    wrong += std::fabs(of_words(0, rsq[i]) * std::sqrt(std::fabs(a[i])) - 1) < 0x1p-19 ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(of_words(0, rcp[25]) == infinity);  // a subnormal number counts as zero
  CHECK(of_words(0, rcp[28]) == -infinity);
  CHECK(rcp[30] == 0x80000000U);
  CHECK(of_words(0, rsq[25]) == infinity);
  CHECK(of_words(0, result_of({"MUFU.RSQ64H R0, R2"}, inputs)[28]) == -infinity);
  CHECK(rsq[30] == 0);
}

TEST_CASE("doubles become integers and floats, and the other way round") {
  const Lanes n = numbers(9);
  const auto wide_n = [&](std::size_t i) { return n[i] | std::uint64_t{n[31 - i]} << 32U; };
  const std::vector<Lanes> whole{n, lanes_of([&](std::size_t i) { return n[31 - i]; })};
  CHECK(wide_result_of({"I2F.F64 R10, R1"}, whole) ==
        doubles_of([&](std::size_t i) { return static_cast<std::int32_t>(n[i]); }));
  CHECK(wide_result_of({"I2F.F64.U32 R10, R1"}, whole) ==
        doubles_of([&](std::size_t i) { return n[i]; }));
  CHECK(wide_result_of({"I2F.F64.U8 R10, R1.B2"}, whole) ==
        doubles_of([&](std::size_t i) { return n[i] >> 16U & 0xffU; }));
  CHECK(wide_result_of({"I2F.F64.S64 R10, R1"}, whole) == doubles_of([&](std::size_t i) {
          return static_cast<double>(static_cast<std::int64_t>(wide_n(i)));
        }));
  CHECK(wide_result_of({"I2F.F64.U64 R10, R1"}, whole) ==
        doubles_of([&](std::size_t i) { return static_cast<double>(wide_n(i)); }));
  CHECK(result_of({"F2F.F32.F64 R0, R1"}, inputs) == lanes_of([](std::size_t i) {
          return std::bit_cast<std::uint32_t>(static_cast<float>(a[i]));
        }));
  CHECK(wide_result_of({"F2F.F64.F32 R10, |R2|"}, inputs) ==
        doubles_of([](std::size_t i) { return std::fabs(std::bit_cast<float>(inputs[1][i])); }));
}

TEST_CASE("doubles are rounded to whole numbers") {
  Reals x = a;
  x[0] = 2.5;
  x[1] = 3.5;
  x[2] = -0.25;
  x[3] = not_a_number;
  x[4] = -1e30;
  const auto of = words_of(x);
  CHECK(wide_result_of({"FRND.F64 R10, R1"}, of)[0] == std::bit_cast<std::uint64_t>(2.0));
  CHECK(wide_result_of({"FRND.F64 R10, R1"}, of)[1] == std::bit_cast<std::uint64_t>(4.0));
  CHECK(wide_result_of({"FRND.F64.CEIL R10, R1"}, of)[2] == std::bit_cast<std::uint64_t>(-0.0));
  CHECK(wide_result_of({"FRND.F64.FLOOR R10, R1"}, of)[2] == std::bit_cast<std::uint64_t>(-1.0));
  CHECK(result_of({"F2I.F64 R0, R1"}, of)[0] == 2);
  CHECK(result_of({"F2I.F64.TRUNC R0, R1"}, of)[1] == 3);
  CHECK(result_of({"F2I.F64.TRUNC R0, R1"}, of)[3] == 0x80000000U);
  CHECK(result_of({"F2I.F64.TRUNC R0, R1"}, of)[4] == 0x80000000U);
  CHECK(result_of({"F2I.U32.F64.TRUNC R0, R1"}, of)[4] == 0);
  CHECK(result_of({"F2I.U32.F64.TRUNC R0, R1"}, of)[27] == 0xffffffffU);
  CHECK(wide_result_of({"F2I.S64.F64.TRUNC R10, R1"}, of)[31] == std::uint64_t{1} << 53U);
  CHECK(wide_result_of({"F2I.S64.F64.TRUNC R10, R1"}, of)[27] == 0x7fffffffffffffffU);
  CHECK(wide_result_of({"F2I.S64.F64.FLOOR R10, R1"}, of)[2] == ~std::uint64_t{0});
  CHECK(wide_result_of({"F2I.U64.F64.TRUNC R10, R1"}, of)[3] == std::uint64_t{1} << 63U);
}
