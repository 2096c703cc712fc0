// What lanes of a warp do together.

#include "estimator/execution/unknown.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

const Lanes a = numbers(4);

}  // namespace

TEST_CASE("shuffles read other lanes") {
  CHECK(result_of({"SHFL.DOWN PT, R0, R1, 0x4, 0x1f"}, {a}) ==
        lanes_of([](std::size_t i) { return i + 4 < 32 ? a[i + 4] : a[i]; }));
  CHECK(result_of({"SHFL.UP PT, R0, R1, 0x3, RZ"}, {a}) ==
        lanes_of([](std::size_t i) { return i >= 3 ? a[i - 3] : a[i]; }));
  CHECK(result_of({"SHFL.BFLY PT, R0, R1, 0x10, 0x1f"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i ^ 16U]; }));
  CHECK(result_of({"SHFL.IDX PT, R0, R1, 0x5, 0x1f"}, {a}) ==
        lanes_of([](std::size_t) { return a[5]; }));
}

TEST_CASE("a shuffle stays in its segment, and says where it leaves it") {
  // Segments of 8 lanes: the bits of a lane's number above them are 0x18, and 7 is the last lane.
  CHECK(result_of({"SHFL.DOWN P0, R2, R1, 0x2, 0x1807", "SEL R0, R2, RZ, P0"}, {a}) ==
        lanes_of([](std::size_t i) { return i % 8 < 6 ? a[i + 2] : 0; }));
  CHECK(result_of({"SHFL.IDX PT, R0, R1, 0x3, 0x1807"}, {a}) ==
        lanes_of([](std::size_t i) { return a[i / 8 * 8 + 3]; }));
}

TEST_CASE("votes count the lanes of a predicate") {
  CHECK(result_of({"ISETP.GE.AND P0, PT, R1, RZ, PT", "VOTE.ANY R0, PT, P0"}, {a}) ==
        lanes_of([](std::size_t) {
          return lanes_where([](std::size_t j) { return static_cast<std::int32_t>(a[j]) >= 0; });
        }));
  CHECK(result_of({"ISETP.GE.AND P0, PT, R1, RZ, PT", "VOTE.ALL P1, P0", "SEL R0, 0x1, 0x2, P1"},
                  {a})[0] == 2);
}

TEST_CASE("MATCH finds lanes with the same value") {
  const Lanes few = lanes_of([](std::size_t i) { return i % 5; });
  CHECK(result_of({"MATCH.ANY R0, R1"}, {few}) == lanes_of([](std::size_t i) {
          return lanes_where([&](std::size_t j) { return i % 5 == j % 5; });
        }));
}

TEST_CASE("MATCH compares 64 bits") {
  const Lanes low = lanes_of([](std::size_t i) { return i % 2; });
  const Lanes high = lanes_of([](std::size_t i) { return i % 3; });
  CHECK(result_of({"MATCH.ANY.U64 R0, R1"}, {low, high}) == lanes_of([](std::size_t i) {
          return lanes_where([&](std::size_t j) { return i % 6 == j % 6; });
        }));
}

TEST_CASE("lanes know their place among the others") {
  CHECK(result_of({"S2R R0, SR_LEMASK"})[3] == 0xfU);
  CHECK(result_of({"S2R R0, SR_GEMASK"})[3] == 0xfffffff8U);
  CHECK(result_of({"S2R R0, SR_GTMASK"})[3] == 0xfffffff0U);
  CHECK(result_of({"S2R R0, SR_GTMASK"})[31] == 0);
  CHECK(result_of({"S2R R0, SR_EQMASK"})[3] == 8);
}

TEST_CASE("REDUX makes one number of those of all lanes") {
  const auto all = [](const char* line) { return result_of({line, "MOV R0, UR5"}, {a})[9]; };
  std::uint32_t sum = 0, ands = ~0U, ors = 0, xors = 0;
  for (const std::uint32_t it : a) {
    sum += it;
    ands &= it;
    ors |= it;
    xors ^= it;
  }
  CHECK(all("REDUX.SUM UR5, R1") == sum);
  CHECK(all("REDUX.SUM.S32 UR5, R1") == sum);
  CHECK(all("REDUX UR5, R1") == ands);
  CHECK(all("REDUX.OR UR5, R1") == ors);
  CHECK(all("REDUX.XOR UR5, R1") == xors);
  CHECK(all("REDUX.MIN UR5, R1") == 0);
  CHECK(all("REDUX.MAX UR5, R1") == 0xffffffffU);
  CHECK(all("REDUX.MIN.S32 UR5, R1") == 0x80000000U);
  CHECK(all("REDUX.MAX.S32 UR5, R1") == 0x7fffffffU);
}

TEST_CASE("REDUX leaves out lanes that are not active") {
  const Lanes big = lanes_of([](std::size_t i) { return i * i + 100; });
  const auto some = [&](const char* line) {
    return result_of(
        {"S2R R2, SR_LANEID", "ISETP.GE.AND P0, PT, R2, 0x1e, PT", line, "MOV R0, UR5"}, {big})[0];
  };
  CHECK(some("@P0 REDUX.SUM UR5, R1") == 30 * 30 + 31 * 31 + 200);
  CHECK(some("@P0 REDUX UR5, R1") == (1000U & 1061U));
  CHECK(some("@!P0 REDUX.MAX UR5, R1") == 29 * 29 + 100);
  CHECK(some("@P0 REDUX.MIN UR5, R1") == 1000);
}

TEST_CASE("an instruction that is not known is named") {
  CHECK_THROWS_WITH(result_of({"HMMA.16816.F32 R4, R4, R8, R4"}),
                    tilelab::contains("which the instruction HMMA.16816.F32 is for"));
  CHECK_THROWS_AS(result_of({"MATCH.ALL P0, R0, R1"}), Unknown);
}

TEST_CASE("tensor cores are not known, and named") {
  for (const char* one : {"HMMA.16816.F32 R4, R8, R12, R4", "LDSM.16.M88.4 R4, [R8]",
                          "MOVM.16.MT88 R4, R8", "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24"}) {
    CHECK_THROWS_WITH(result_of({one}), tilelab::contains("does not know tensor cores, which"));
  }
}

TEST_CASE("what an unknown instruction is for is said in words") {
  CHECK_THROWS_WITH(result_of({"LEPC R20, `(.L_next)", ".L_next:"}),
                    tilelab::contains("does not know calls such as printf()"));
  CHECK_THROWS_WITH(result_of({"BPT.TRAP 0x1"}), tilelab::contains("does not know __trap()"));
  CHECK_THROWS_WITH(result_of({"SYNCS.EXCH.64 URZ, [UR4], UR6"}),
                    tilelab::contains("barriers in shared memory"));
  CHECK_THROWS_WITH(result_of({"TEX.LL RZ, R0, R0, R2, 0x0, 0x58, 2D, 0xf"}),
                    tilelab::contains("does not know textures"));
}

TEST_CASE("threads that sleep have no time") {
  CHECK_THROWS_WITH(result_of({"MOV R2, 0x10", "NANOSLEEP R2"}), tilelab::contains("sleep"));
  CHECK_THROWS_WITH(result_of({"NANOSLEEP 0xc350"}), tilelab::contains("sleep"));
  CHECK_THROWS_WITH(result_of({"NANOSLEEP.WARP 0x10"}), tilelab::contains("sleep"));
  CHECK(result_of({"MOV R0, 0x1", "@!PT NANOSLEEP 0x10", "YIELD", "WARPSYNC.ALL"})[0] == 1);
}

TEST_CASE("special registers that a launch does not determine are not read") {
  for (const char* one : {"CS2R R0, SR_CLOCKLO", "CS2R.32 R0, SR_CLOCKLO", "S2UR UR9, SR_CLOCKHI",
                          "CS2R R0, SR_GLOBALTIMERLO", "S2R R0, SR_GLOBALTIMERHI"}) {
    CHECK_THROWS_WITH(result_of({one}), tilelab::contains("it reads the GPU's clock"));
  }
  for (const char* one : {"S2UR UR6, SR_VIRTUALSMID", "S2R R4, SR_VIRTID"}) {
    CHECK_THROWS_WITH(result_of({one}), tilelab::contains("where on the GPU it runs"));
  }
  CHECK_THROWS_WITH(result_of({"S2UR UR7, SR_VIRTCFG"}), tilelab::contains("SR_VIRTCFG"));
}

TEST_CASE("special registers that a launch determines are read") {
  CHECK(result_of({"S2R R0, SR_TID.X"})[5] == 5);
  CHECK(result_of({"S2UR UR4, SR_CTAID.X", "MOV R0, UR4"})[5] == 0);
  CHECK(result_of({"S2UR UR4, SR_CgaCtaId", "MOV R0, UR4"})[5] == 0);
  CHECK(result_of({"MOV R0, 0x7", "CS2R R0, SRZ"})[5] == 0);
  // Nobody executes it.
  CHECK(result_of({"MOV R0, 0x7", "@!PT CS2R R0, SR_CLOCKLO"})[5] == 7);
}
