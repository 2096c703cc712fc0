#include <algorithm>

#include "estimator/execution/memory.h"
#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr std::uint64_t begin = 0x7f0000000000;

/// A thread's address in global memory, so many bytes after that of the thread before, in R2 and
/// R3, and then some instructions.
Function with_address(const char* stride, Lines lines) {
  std::vector<std::string> all{"S2R R1, SR_TID.X", "LDC.64 R2, c[0x0][0x210]",
                               std::string("IMAD.WIDE R2, R1, ") + stride + ", R2"};
  all.insert(all.end(), lines.begin(), lines.end());
  all.emplace_back("EXIT");
  return function_of(all);
}

/// The step of the fourth instruction, in a warp that executes such a function.
struct Access {
  Trace trace;
  const Step& step() const { return trace.steps.at(3); }
  const Line& line(std::size_t i) const { return trace.lines.at(step().first_line + i); }
};

Access access_of(const Function& function, Memory& memory, std::uint32_t threads = 32) {
  std::vector<std::uint8_t> parameters;
  add_parameter(parameters, begin);
  return {traces_of(function, threads, memory, parameters).at(0)};
}

Memory memory_of_bits() { return Memory({{begin, 1 << 20, Contents::bits}}); }

/// The passes of an access to shared memory by lanes that are this many bytes apart.
int passes(const char* stride, const char* access) {
  const Function function = function_of(
      {"S2R R1, SR_LANEID", std::string("IMAD R2, R1, ") + stride + ", RZ", "NOP", access, "EXIT"});
  Memory memory({});
  return traces_of(function, 32, memory).at(0).steps.at(3).passes;
}

}  // namespace

TEST_CASE("a load of neighbors touches whole lines") {
  Memory memory = memory_of_bits();
  const Access access = access_of(with_address("0x4", {"LDG.E R4, desc[UR4][R2.64]"}), memory);
  REQUIRE(access.step().lines == 1);
  CHECK(access.line(0).number == begin / 128);
  CHECK(access.line(0).sectors == 15);
  CHECK(access.line(0).whole == 15);
}

TEST_CASE("a load with a stride touches a sector per lane") {
  Memory memory = memory_of_bits();
  const Access access =
      access_of(with_address("0x80", {"LDG.E R4, desc[UR4][R2.64+0x20]"}), memory);
  REQUIRE(access.step().lines == 32);
  CHECK(access.line(31).sectors == 2);
  CHECK(access.line(31).whole == 0);
}

TEST_CASE("global memory is loaded and stored in all sizes") {
  Memory memory = memory_of_bits();
  std::uint32_t words[4];
  for (std::uint64_t i = 0; i < 4; ++i) words[i] = memory.load(begin + 4 * i, 4);
  access_of(with_address(
                "0x10",
                {"LDG.E.128 R4, desc[UR4][R2.64]", "STG.E.128 desc[UR4][R2.64+0x8000], R4",
                 "LDG.E.U8 R8, desc[UR4][R2.64+0x1]", "LDG.E.S16 R9, desc[UR4][R2.64+0x2]",
                 "STG.E.64 desc[UR4][R2.64+0x10000], R8", "STG.E.U8 desc[UR4][R2.64+0x8005], R1"}),
            memory);
  for (std::uint64_t i = 0; i < 4; ++i) {
    CHECK(memory.load(begin + 0x8000 + 4 * i, 4) == (i == 1 ? words[1] & 0xffff00ffU : words[i]));
  }
  CHECK(memory.load(begin + 0x10000, 4) == (words[0] >> 8U & 0xffU));
  const auto half = static_cast<std::int16_t>(words[0] >> 16U);
  CHECK(memory.load(begin + 0x10004, 4) == static_cast<std::uint32_t>(half));
}

TEST_CASE("two bytes at an odd address stay in their word") {
  Memory memory({{begin, 1 << 20, Contents::zeros}});
  memory.store(begin + 3, 0xffff, 2);
  CHECK(memory.load(begin, 4) == 0xffff0000U);
  CHECK(memory.load(begin + 4, 4) == 0);
}

TEST_CASE("each thread has local memory of its own") {
  Memory memory = memory_of_bits();
  // The number of each lane, and its double, come back from words that differ by lane.
  const Access access =
      access_of(with_address("0x8", {"IMAD.SHL.U32 R6, R1, 0x4, RZ", "STL [R6+0x10], R1",
                                     "STL.64 [0x200], R2", "LDL R8, [R6+0x10]",
                                     "LDL.U8 R9, [0x200]", "STG.E.64 desc[UR4][R2.64], R8"}),
                memory);
  for (std::uint64_t i = 0; i < 32; ++i) {
    CHECK(memory.load(begin + 8 * i, 4) == i);
    CHECK(memory.load(begin + 8 * i + 4, 4) == (8 * i & 0xffU));
  }
  const auto lines = [&](std::size_t step) { return access.trace.steps.at(step).lines; };
  CHECK(lines(4) == 32);  // a word in each
  CHECK(lines(5) == 2);
  CHECK(lines(6) == 32);
  CHECK(lines(7) == 1);
}

TEST_CASE("an address is unknown if data say where") {
  const auto is_unknown = [](const char* index, const char* sum) {
    Memory memory = memory_of_bits();
    memory.doubt = Doubt::all;
    const Function function =
        with_address("0x4", {index, "ISETP.LT.AND P0, PT, R5, RZ, PT", sum,
                             "IADD3.X R3, R3, R3, RZ, P0, !PT", "LDG.E R4, desc[UR4][R2.64]"});
    return access_of(function, memory).trace.steps.at(7).is_unknown;
  };
  CHECK(is_unknown("LDG.E R5, desc[UR4][R2.64]", "IADD3 R2, R2, R5, RZ"));
  CHECK(is_unknown("LDG.E R5, desc[UR4][R2.64]", "NOP"));
  CHECK_FALSE(is_unknown("LDG.E R5, desc[UR4][R2.64]", "IADD3 R2, P0, R2, R1, RZ"));
  CHECK_FALSE(is_unknown("MOV R5, 0x8", "IADD3 R2, R2, R5, RZ"));
}

TEST_CASE("lanes whose guard is false access nothing") {
  Memory memory = memory_of_bits();
  const Access access = access_of(with_address("0x4", {"@!PT LDG.E R4, desc[UR4][R2.64]"}), memory);
  CHECK(access.step().lines == 0);
  CHECK(access.step().lanes == 0);
}

TEST_CASE("an asynchronous copy fills with zeros if it is told to") {
  Memory memory = memory_of_bits();
  const Access access = access_of(
      with_address("0x4", {"NOP", "ISETP.LT.AND P0, PT, R1, 0x10, PT",
                           "IMAD.SHL.U32 R6, R1, 0x4, RZ", "LDGSTS.E [R6], desc[UR4][R2.64], P0",
                           "LDS R7, [R6]", "STG.E desc[UR4][R2.64+0x8000], R7"}),
      memory);
  CHECK(access.trace.steps.at(6).lines == 1);
  CHECK(access.trace.lines.at(0).sectors == 3);
  CHECK(memory.load(begin + 0x8000 + 60, 4) == memory.load(begin + 60, 4));
  CHECK(memory.load(begin + 0x8000 + 64, 4) == 0);
}

TEST_CASE("bank conflicts take passes") {
  CHECK(passes("0x4", "LDS R4, [R2]") == 1);
  CHECK(passes("0x8", "LDS R4, [R2]") == 2);
  CHECK(passes("0x80", "LDS R4, [R2]") == 32);
  CHECK(passes("0x84", "STS [R2], R4") == 1);
  CHECK(passes("0x0", "LDS R4, [R2]") == 1);
  CHECK(passes("0x10", "LDS.128 R4, [R2]") == 4);
  CHECK(passes("0x0", "ATOMS.ADD R4, [R2], R5") == 32);
  CHECK(passes("0x0", "ATOMS.POPC.INC.32 RZ, [R2+URZ]") == 1);
}

TEST_CASE("atomics on one word take turns") {
  // 5 + 0 + 1 + ... + 31, and each lane gets what was there before.
  CHECK(result_of({"S2R R1, SR_LANEID", "MOV R2, 0x5", "STS [RZ], R2", "ATOMS.ADD R0, [RZ], R1"}) ==
        lanes_of([](std::size_t i) { return 5 + i * (i - 1) / 2; }));
  Memory memory = memory_of_bits();
  const std::uint32_t before = memory.load(begin, 4);
  const Access access =
      access_of(with_address("0x0", {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R1"}), memory);
  CHECK(memory.load(begin, 4) == before + 31 * 32 / 2);
  CHECK(access.step().distinct == 1);
  CHECK(access_of(with_address("0x4", {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R1"}), memory)
            .step()
            .distinct == 32);
}

TEST_CASE("atomic minima are unsigned unless the instruction says otherwise") {
  const auto least = [](const char* access) {
    return result_of({"S2R R1, SR_LANEID", "IADD3 R1, R1, -0x5, RZ", "MOV R2, 0x14", "STS [RZ], R2",
                      access, "LDS R0, [RZ]"})[0];
  };
  CHECK(least("ATOMS.MIN R3, [RZ], R1") == 0);
  CHECK(least("ATOMS.MIN.S32 R3, [RZ], R1") == static_cast<std::uint32_t>(-5));
  CHECK(least("ATOMS.MAX R3, [RZ], R1") == static_cast<std::uint32_t>(-1));
  CHECK(least("ATOMS.MAX.S32 R3, [RZ], R1") == 26);
}

TEST_CASE("a branch on data of an earlier launch is unknown, and nothing else is") {
  const auto unknown_branches = [](const char* comparison) {
    Memory memory = memory_of_bits();
    memory.set_computed(0);
    return access_of(with_address("0x4", {"LDG.E R4, desc[UR4][R2.64]", comparison, "@P0 NOP",
                                          "ISETP.GT.AND P1, PT, R1, 0x3, PT", "@P0 EXIT"}),
                     memory)
        .trace.unknown_branches;
  };
  CHECK(unknown_branches("ISETP.GT.AND P0, PT, R4, RZ, PT") == 1);
  CHECK(unknown_branches("ISETP.GT.AND P0, PT, R1, 0x5, PT") == 0);
  CHECK(unknown_branches("ISETP.GT.AND P0, PT, R1, R4, PT") == 1);
}

TEST_CASE("a register that is compared with something unknown stays known") {
  Memory memory = memory_of_bits();
  memory.set_computed(0);
  const Access access = access_of(
      with_address("0x4", {"LDG.E R4, desc[UR4][R2.64]", "ISETP.GT.AND P0, PT, R1, R4, PT",
                           "ISETP.GT.AND P1, PT, R1, 0x5, PT", "@P1 EXIT"}),
      memory);
  CHECK(access.trace.unknown_branches == 0);
}

TEST_CASE("a double is unknown if a word of what it is made of is") {
  const auto unknown_branches = [](const char* conversion, const char* comparison) {
    Memory memory = memory_of_bits();
    memory.set_computed(0);
    // The upper word of R6 is unknown.
    return access_of(with_address("0x4", {"MOV R6, RZ", "LDG.E R7, desc[UR4][R2.64]", conversion,
                                          comparison, "@P0 EXIT"}),
                     memory)
        .trace.unknown_branches;
  };
  CHECK(unknown_branches("NOP", "DSETP.GT.AND P0, PT, R6, RZ, PT") == 1);
  CHECK(unknown_branches("F2F.F32.F64 R8, R6", "FSETP.GT.AND P0, PT, R8, RZ, PT") == 1);
  CHECK(unknown_branches("F2I.F64 R8, R6", "ISETP.GT.AND P0, PT, R8, RZ, PT") == 1);
  CHECK(unknown_branches("F2F.F64.F32 R8, R7", "ISETP.GT.AND P0, PT, R8, RZ, PT") == 1);
  CHECK(unknown_branches("F2F.F64.F32 R8, R7", "ISETP.GT.AND P0, PT, R9, RZ, PT") == 1);
  CHECK(unknown_branches("DMUL R8, R6, 3", "ISETP.GT.AND P0, PT, R9, RZ, PT") == 1);
  CHECK(unknown_branches("I2F.F64.S64 R8, R6", "ISETP.GT.AND P0, PT, R9, RZ, PT") == 1);
  CHECK(unknown_branches("F2F.F64.F32 R8, R7", "ISETP.GT.AND P0, PT, R1, 0x5, PT") == 0);
}

TEST_CASE("atomic operations on 64 bits") {
  // The lanes add to, or replace, what lies at 0x10: 5 and 1, and in R0 is the word R4 or R5.
  const auto after = [](const char* access, const char* result) {
    return result_of({"MOV R2, 0x5", "MOV R3, 0x1", "STS.64 [0x10], R2", "S2R R6, SR_LANEID",
                      "MOV R7, 0x80000000", "MOV R8, 0x9", "MOV R9, 0x2", access,
                      "LDS.64 R4, [0x10]", result});
  };
  CHECK(after("ATOMS.ADD.64 R10, [0x10], R6", "MOV R0, R4")[0] == 5 + 496);
  CHECK(after("ATOMS.ADD.64 R10, [0x10], R6", "MOV R0, R5")[0] == 1);
  CHECK(after("ATOMS.ADD.64 R10, [0x10], R6", "MOV R0, R10") ==
        lanes_of([](std::size_t i) { return 5 + i * (i - 1) / 2; }));
  CHECK(after("ATOMS.MAX.64 R10, [0x10], R6", "MOV R0, R5")[0] == 0x80000000U);
  CHECK(after("ATOMS.MAX.S64 R10, [0x10], R6", "MOV R0, R5")[0] == 1);
  CHECK(after("ATOMS.CAS.64 R10, [0x10], R2, R8", "MOV R0, R4")[0] == 9);
  CHECK(after("ATOMS.CAS.64 R10, [0x10], R2, R8", "MOV R0, R11") ==
        lanes_of([](std::size_t i) { return i == 0 ? 1 : 2; }));
  CHECK(after("ATOMS.CAS.64 R10, [0x10], R8, R6", "MOV R0, R4")[0] == 5);
  CHECK(after("ATOMS.CAS R10, [0x10], R2, R8", "MOV R0, R4")[0] == 9);
  CHECK(after("ATOMS.DEC R10, [0x10], R8", "MOV R0, R4")[0] == 3);
}

TEST_CASE("the address of a compare-and-swap has 64 bits, although nothing says so") {
  Memory memory({{begin, 1 << 20, Contents::zeros}});
  const Access access =
      access_of(with_address("0x4", {"ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], RZ, R1"}), memory);
  REQUIRE(access.step().lines == 1);
  CHECK(access.line(0).number == begin / 128);
  CHECK(memory.load(begin + 8, 4) == 2);
}

TEST_CASE("atomic sums of doubles") {
  Memory memory = memory_of_bits();
  // 32 times 1.5, at the array's beginning, which is set to 0 before.
  const Function function =
      function_of({"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]",
                   "STG.E.64 desc[UR4][R2.64], RZ", "MOV R4, RZ", "MOV R5, 0x3ff80000",
                   "REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R4", "EXIT"});
  std::vector<std::uint8_t> parameters;
  add_parameter(parameters, memory.arrays()[0].address);
  const BlockTrace traces = traces_of(function, 32, memory, parameters);
  CHECK(memory.load(memory.arrays()[0].address, 4) == 0);
  CHECK(memory.load(memory.arrays()[0].address + 4, 4) == 0x40480000U);
  CHECK(function.code[5].bytes == 8);
}
