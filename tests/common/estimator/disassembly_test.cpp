#include "estimator/code/disassembly.h"

#include <bit>
#include <limits>
#include <sstream>

#include "estimator/code/operand.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

TEST_CASE("registers are read") {
  const Operand plain = read_operand("R12");
  CHECK(plain.kind == Kind::reg);
  CHECK(plain.index == 12);
  CHECK_FALSE((plain.is_negated || plain.is_inverted || plain.is_absolute || plain.is_reused));
  CHECK(read_operand("RZ").index == 255);
  CHECK(read_operand("-R3").is_negated);
  CHECK(read_operand("~R3").is_inverted);
  CHECK(read_operand("R3.reuse").is_reused);
  CHECK(read_operand("R4.64").is_wide);
  const Operand magnitude = read_operand("-|R7.reuse|");
  CHECK((magnitude.is_negated && magnitude.is_absolute));
  CHECK(magnitude.index == 7);
  CHECK(read_operand("UR6").kind == Kind::uniform);
  CHECK(read_operand("URZ").index == 63);
}

TEST_CASE("predicates are read") {
  CHECK(read_operand("P3").kind == Kind::predicate);
  CHECK(read_operand("!P3").is_negated);
  CHECK(read_operand("PT").index == 7);
  CHECK(read_operand("UP2").kind == Kind::uniform_predicate);
  CHECK(read_operand("UPT").index == 7);
  CHECK(read_operand("B5").kind == Kind::barrier);
}

TEST_CASE("numbers are read as their bits") {
  CHECK(read_operand("0x20").value == 32);
  CHECK(read_operand("-0x1").value == -1);
  CHECK(read_operand("1.5").value == std::bit_cast<std::uint32_t>(1.5F));
  CHECK(read_operand("-2").value == std::bit_cast<std::uint32_t>(-2.0F));
  CHECK(read_operand("+INF").value == 0x7f800000);
  CHECK(read_operand("-INF").value == 0xff800000);
  CHECK(read_operand("9.9999999747524270788e-07").value == std::bit_cast<std::uint32_t>(1e-6F));
}

TEST_CASE("addresses are read") {
  const Operand constant = read_operand("c[0x3][R2+0x210]");
  CHECK(constant.kind == Kind::constant);
  CHECK(constant.index == 2);
  CHECK(constant.value == (std::int64_t{3} << 32) + 0x210);
  const Operand global = read_operand("desc[UR4][R2.64+-0x10]");
  CHECK(global.kind == Kind::memory);
  CHECK(global.is_wide);
  CHECK(global.value == -16);
  CHECK(global.uniform_index == 63);
  const Operand shared = read_operand("[R0+UR5+0x400]");
  CHECK(shared.index == 0);
  CHECK(shared.uniform_index == 5);
  CHECK(shared.value == 0x400);
  CHECK(read_operand("SR_TID.Y").special == Special::thread_y);
  CHECK(read_operand("SR_CLOCKLO").special == Special::unknown);
}

TEST_CASE("an instruction's name, guard and modifiers are read") {
  const Instruction one = function_of({"@!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64]"}).code.at(0);
  CHECK(one.operation == Operation::LDG);
  CHECK(one.pipe == Pipe::lsu);
  CHECK(one.bytes == 16);
  CHECK(one.has("CONSTANT"));
  CHECK_FALSE(one.has("LDG"));
  CHECK(one.guard.kind == Kind::predicate);
  CHECK(one.guard.is_negated);
  CHECK(one.operands.size() == 2);
  CHECK(function_of({"HMMA.16816.F32 R4, R4, R8, R4"}).code.at(0).operation == Operation::unknown);
}

TEST_CASE("registers that are kept for reuse are not read again") {
  const Function function =
      function_of({"FFMA R0, R2.reuse, R4, R6", "FFMA R1, R2, R5, R8", "FFMA R3, R5, R2, RZ"});
  CHECK(function.code[0].reads == std::array{3, 0});
  CHECK(function.code[1].reads == std::array{1, 1});
  CHECK(function.code[2].reads == std::array{1, 1});
}

TEST_CASE("control bits, labels, lines and several functions are read") {
  std::istringstream text(
      "\t.section\t.text.first,\"ax\",@progbits\n"
      "first:\n"
      "\t//## File \"/a/b.cu\", line 12\n"
      "        /*0000*/              @P0 BRA `(.L_x_1) ;   /* 0x0000000000077919 */\n"
      "                                                    /* 0x000e2a0000002100 */\n"
      "\t//## File \"/a/b.cu\", line 14\n"
      ".L_x_0:\n"
      "        /*0010*/                   BRA `(.L_x_0);   /* 0x0000000000077919 */\n"
      "                                                    /* 0x001fca00078e0205 */\n"
      ".L_x_1:\n"
      "        /*0020*/                   EXIT ;           /* 0x000000000000794d */\n"
      "                                                    /* 0x000fea0003800000 */\n"
      "\t.section\t.debug_line,\"\"\n"
      "        /*0000*/ .byte 0x1 ;\n"
      "\t.section\t.text.second,\"ax\",@progbits\n"
      "        /*0000*/                   EXIT ;           /* 0x000000000000794d */\n"
      "                                                    /* 0x000fea0003800000 */\n");
  const std::vector<Function> functions = read_disassembly(text);
  REQUIRE(functions.size() == 2);
  CHECK(functions[0].name == "first");
  CHECK(functions[1].name == "second");
  const auto& code = functions[0].code;
  REQUIRE(code.size() == 3);
  CHECK(code[0].operands[0].value == 2);
  CHECK(code[1].operands[0].value == 1);
  CHECK(code[0].line == 12);
  CHECK(code[1].line == 14);
  CHECK(code[0].control.stall == 5);
  CHECK(code[0].control.write_scoreboard == 0);
  CHECK(code[0].control.read_scoreboard == 7);
  CHECK(code[0].control.waits == 0);
  CHECK(code[1].control.stall == 5);
  CHECK(code[1].control.write_scoreboard == 7);
  CHECK(code[1].control.waits == 1);
}
