#include "estimator/execution/unknown.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

TEST_CASE("lanes take different paths and meet again") {
  const Lanes got =
      result_of({"S2R R1, SR_LANEID", "ISETP.GE.AND P0, PT, R1, 0xa, PT", "BSSY B0, `(.L_meet)",
                 "@P0 BRA `(.L_other)", "IMAD R2, R1, 0x3, RZ", "BRA `(.L_end)",
                 ".L_other:", "IADD3 R2, R1, 0x64, RZ", ".L_end:", "BSYNC B0", ".L_meet:",
                 // All lanes are here, so each gets its neighbor's value.
                 "SHFL.BFLY PT, R0, R2, 0x1, 0x1f"});
  CHECK(got == lanes_of([](std::size_t i) {
          const std::size_t other = i ^ 1U;
          return other >= 10 ? other + 100 : other * 3;
        }));
}

TEST_CASE("a loop runs as often as each lane wants") {
  CHECK(result_of({"S2R R1, SR_LANEID", "MOV R0, RZ", "MOV R2, RZ",
                   ".L_loop:", "IADD3 R0, R0, R2, RZ", "IADD3 R2, R2, 0x1, RZ",
                   "ISETP.LE.AND P0, PT, R2, R1, PT", "@P0 BRA `(.L_loop)"}) ==
        lanes_of([](std::size_t i) { return i * (i + 1) / 2; }));
}

TEST_CASE("a function is called and returns") {
  // The instruction after the call has the number 6, and lies at 6 * 16.
  CHECK(result_of({"S2R R1, SR_LANEID", "MOV R2, 0x60", "MOV R3, 0x0",
                   "CALL.REL.NOINC `(.L_function)", "IADD3 R0, R0, 0x1, RZ", "BRA `(.L_end)",
                   ".L_function:", "IMAD R0, R1, R1, RZ", "RET.REL.NODEC R2 `(snippet)",
                   ".L_end:"}) == lanes_of([](std::size_t i) { return i * i + 1; }));
}

TEST_CASE("lanes that have ended are not waited for") {
  const Function function =
      function_of({"S2R R1, SR_LANEID", "ISETP.GE.AND P0, PT, R1, 0x4, PT", "BSSY B0, `(.L_end)",
                   "@P0 EXIT", "BSYNC B0", ".L_end:", "NOP", "EXIT"});
  Memory memory({});
  const BlockTrace traces = traces_of(function, 32, memory);
  REQUIRE(traces.at(0).steps.size() == 7);
  CHECK(traces[0].steps[3].lanes == 28);
  CHECK(traces[0].steps[5].lanes == 4);
}

TEST_CASE("a warp without work does not stand for the others") {
  // Warps from the second on end at once. The first counts to 100.
  const Function function =
      function_of({"S2R R1, SR_TID.X", "ISETP.GE.AND P0, PT, R1, 0x20, PT", "@P0 EXIT",
                   "MOV R2, RZ", ".L_loop:", "IADD3 R2, R2, 0x1, RZ",
                   "ISETP.LT.AND P0, PT, R2, 0x64, PT", "@P0 BRA `(.L_loop)", "EXIT"});
  Memory memory({});
  const BlockTrace traces = traces_of(function, 128, memory, {}, {100'000, 10});
  REQUIRE(traces.size() == 4);
  CHECK(traces[0].steps.size() == 10);
  CHECK(traces[0].executed == 305);
  CHECK(traces[3].executed == 3);
}

TEST_CASE("lanes that break out of a region are not waited for") {
  // Lanes from 0x14 on go on behind the meeting. The others meet before they are shuffled.
  CHECK(result_of({"S2R R1, SR_LANEID", "ISETP.GE.AND P0, PT, R1, 0x14, PT",
                   "ISETP.GE.AND P1, PT, R1, 0x5, PT", "MOV R0, 0x7", "BSSY B0, `(.L_meet)",
                   "@P0 BREAK B0", "@P0 BRA `(.L_end)", "@P1 BRA `(.L_wait)", "NOP", ".L_wait:",
                   "BSYNC B0", ".L_meet:", "VOTE.ANY R0, PT, PT", ".L_end:", "WARPSYNC.ALL"}) ==
        lanes_of([](std::size_t i) { return i < 20 ? 0xfffffU : 7; }));
}

TEST_CASE("lanes that met once do not meet at another place") {
  // Lanes from 0x10 on meet at B1. At B0 they wait for the others, which come from further down.
  CHECK(result_of({"S2R R1, SR_LANEID", "ISETP.LT.AND P0, PT, R1, 0x10, PT", "BSSY B0, `(.L_met)",
                   "@P0 BRA `(.L_far)", "BSSY B1, `(.L_inner)", "BSYNC B1", ".L_inner:", "NOP",
                   ".L_meet:", "BSYNC B0", ".L_met:", "VOTE.ANY R0, PT, PT", "BRA `(.L_end)",
                   ".L_far:", "NOP", "BRA `(.L_meet)", ".L_end:"}) ==
        lanes_of([](std::size_t) { return all_lanes; }));
}

TEST_CASE("lanes meet again at the end of each round of a loop") {
  // In every round, odd lanes come from further down.
  CHECK(result_of({"S2R R1, SR_LANEID",
                   "LOP3.LUT P0, RZ, R1, 0x1, RZ, 0xc0, !PT",
                   "MOV R0, RZ",
                   "MOV R2, RZ",
                   ".L_loop:",
                   "BSSY B0, `(.L_met)",
                   "@P0 BRA `(.L_far)",
                   ".L_meet:",
                   "BSYNC B0",
                   ".L_met:",
                   "VOTE.ANY R3, PT, PT",
                   "POPC R3, R3",
                   "IADD3 R0, R0, R3, RZ",
                   "IADD3 R2, R2, 0x1, RZ",
                   "ISETP.LT.AND P1, PT, R2, 0x3, PT",
                   "@P1 BRA `(.L_loop)",
                   "BRA `(.L_end)",
                   ".L_far:",
                   "NOP",
                   "BRA `(.L_meet)",
                   ".L_end:"}) == lanes_of([](std::size_t) { return 96; }));
}

TEST_CASE("lanes wait for those that their register names") {
  // What the register holds in lanes that are elsewhere does not count.
  CHECK(result_of({"S2R R1, SR_LANEID", "LOP3.LUT P0, RZ, R1, 0x1, RZ, 0xc0, !PT", "MOV R5, 0x3",
                   "BSSY B0, `(.L_end)", "@!P0 BRA `(.L_even)", "MOV R5, 0xaaaaaaaa", "WARPSYNC R5",
                   "REDUX.SUM UR4, R1", "MOV R0, UR4", "BRA `(.L_meet)",
                   ".L_even:", "MOV R5, 0x55555555", "WARPSYNC R5", "REDUX.SUM UR4, R1",
                   "MOV R0, UR4", ".L_meet:", "BSYNC B0", ".L_end:"}) ==
        lanes_of([](std::size_t i) { return i % 2 == 0 ? 240 : 256; }));
}

TEST_CASE("code without an end is reported") {
  const Function function = function_of({"NOP"});
  Memory memory({});
  CHECK_THROWS_AS(traces_of(function, 32, memory), Unknown);
}

TEST_CASE("warps of a block wait for each other at a barrier") {
  // The last warp's store is seen by the first one.
  const Function function = function_of({"S2R R1, SR_TID.X", "IMAD.SHL.U32 R2, R1, 0x4, RZ",
                                         "STS [R2], R1", "BAR.SYNC 0x0", "LDS R3, [0xfc]",
                                         "ISETP.NE.AND P0, PT, R3, 0x3f, PT", "@P0 NOP", "EXIT"});
  Memory memory({});
  const BlockTrace traces = traces_of(function, 64, memory);
  REQUIRE(traces.size() == 2);
  CHECK(traces[0].steps[6].lanes == 0);
  CHECK(traces[1].steps[6].lanes == 0);
}
