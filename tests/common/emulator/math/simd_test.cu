// Functions of the halfwords and bytes of a word.

#include "device.h"

TEST_CASE("lanes wrap or saturate") {
  REQUIRE(__vadd4(0x7f80ff01u, 0x0180ff02u) == 0x8000fe03u);
  REQUIRE(__vaddss4(0x7f80ff01u, 0x0180ff02u) == 0x7f80fe03u);
  REQUIRE(__vaddus4(0x7f80ff01u, 0x0180ff02u) == 0x80ffff03u);
  REQUIRE(__vsub2(0x80000001u, 0x00010002u) == 0x7fffffffu);
  REQUIRE(__vsubss2(0x80000001u, 0x00010002u) == 0x8000ffffu);
  REQUIRE(__vsubus2(0x80000001u, 0x00010002u) == 0x7fff0000u);
  REQUIRE((__vabs4(0x80ff017fu) == 0x8001017fu && __vabsss4(0x80ff017fu) == 0x7f01017fu));
  REQUIRE((__vneg2(0x80000005u) == 0x8000fffbu && __vnegss2(0x80000005u) == 0x7ffffffbu));
}

TEST_CASE("lanes have signs or none") {
  REQUIRE((__vmins2(0xffff0002u, 0x00010001u) == 0xffff0001u));
  REQUIRE((__vminu2(0xffff0002u, 0x00010001u) == 0x00010001u));
  REQUIRE((__vmaxs4(0xff02807fu, 0x01017f80u) == 0x01027f7fu));
  REQUIRE((__vmaxu4(0xff02807fu, 0x01017f80u) == 0xff028080u));
  REQUIRE((__vabsdiffs4(0x80ff0305u, 0x7f010503u) == 0xff020202u));
  REQUIRE((__vabsdiffu4(0x80ff0305u, 0x7f010503u) == 0x01fe0202u));
  REQUIRE((__vsads2(0x80000001u, 0x7fff0003u) == 0xffffu + 2));
  REQUIRE((__vsadu2(0x80000001u, 0x7fff0003u) == 1u + 2));
}

TEST_CASE("averages of lanes are rounded away from zero, or down") {
  REQUIRE(__vavgs4(0xfffe0003u, 0x00010104u) == 0xffff0104u);
  REQUIRE((__vavgu4(0xff800305u, 0xfe7e0404u) == 0xff7f0405u));
  REQUIRE((__vhaddu4(0xff800305u, 0xfe7e0404u) == 0xfe7f0304u));
}

TEST_CASE("comparisons give lanes of ones, or the number 1") {
  REQUIRE(__vcmpeq4(0x01020304u, 0x01ff03ffu) == 0xff00ff00u);
  REQUIRE(__vsetne4(0x01020304u, 0x01ff03ffu) == 0x00010001u);
  REQUIRE((__vcmpgts2(0xffff0001u, 0x00010000u) == 0x0000ffffu));
  REQUIRE((__vcmpgtu2(0xffff0001u, 0x00010000u) == 0xffffffffu));
  REQUIRE((__vsetles4(0x80017f00u, 0x7f018000u) == 0x01010001u));
  REQUIRE((__vsetleu4(0x80017f00u, 0x7f018000u) == 0x00010101u));
  REQUIRE((__vcmplts2(5u, 5u) == 0 && __vcmpges2(5u, 5u) == 0xffffffffu));
}

TEST_CASE("minima and maxima of three and of sums") {
  REQUIRE((__vimin3_s32(2, -1, 0) == -1 && __vimax3_s32(-1, -3, -2) == -1));
  REQUIRE((__vimin3_u32(2u, 0xffffffffu, 3u) == 2u && __vimin3_u32(5u, 6u, 4u) == 4u));
  REQUIRE(__vimax3_u32(2u, 0xffffffffu, 3u) == 0xffffffffu);
  REQUIRE((__vimax3_s32_relu(-1, -3, -2) == 0 && __vimin_s32_relu(7, -3) == 0));
  REQUIRE((__viaddmax_s32(3, 4, 5) == 7 && __viaddmin_s32(3, 4, 5) == 5));
  REQUIRE((__viaddmax_s32(INT_MAX, 1, 0) == 0 && __viaddmax_u32(0xffffffffu, 2u, 0u) == 1u));
  REQUIRE(__viaddmax_s16x2(0x7fff0001u, 0x00010002u, 0xfffe0001u) == 0xfffe0003u);
  REQUIRE(__viaddmin_u16x2(0xffff0001u, 0x00010002u, 0x00050002u) == 0x00000002u);
  REQUIRE(__vimax_s16x2_relu(0xffff0003u, 0x80000002u) == 0x00000003u);
}

TEST_CASE("a maximum says whose it is") {
  bool high = true, low = false;
  REQUIRE(__vibmax_s16x2(0xffff0003u, 0x00010002u, &high, &low) == 0x00010003u);
  REQUIRE((!high && low));
  REQUIRE(__vibmin_u16x2(0xffff0003u, 0xffff0004u, &high, &low) == 0xffff0003u);
  REQUIRE((high && low));  // of equal halves, a's are taken
  bool is_a = false;
  REQUIRE((__vibmax_s32(-4, -4, &is_a) == -4 && is_a));
  REQUIRE((__vibmin_u32(5u, 4u, &is_a) == 4u && !is_a));
}
