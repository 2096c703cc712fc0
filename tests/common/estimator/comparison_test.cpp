#include "estimator/estimate/comparison.h"

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr int n = 1024;
constexpr std::uint64_t in = 0x7f0000000000, out = 0x7f8000000000;
const Kernel kernel{16, 1028};

/// What block 2 of diff() stores, in the words of its contract.
std::vector<std::uint32_t> differences() {
  const Memory memory({{in, 4 * n, Contents::bits}});
  std::vector<std::uint32_t> made;
  for (std::uint64_t i = 512; i < 768; ++i) {
    made.push_back(memory.word(in + 4 * i) - memory.word(in + 4 * (i - 1)));
  }
  return made;
}

Comparison compared(const Trial& trial) {
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  add_parameter(launch.parameters, in);
  add_parameter(launch.parameters, out);
  add_parameter(launch.parameters, n);
  Memory memory({{in, 4 * n, Contents::bits}, {out, 4 * n, Contents::zeros}});
  const Function function = kernel_in_file("diff");
  return compare({function, launch, kernel, memory}, trial);
}

constexpr std::uint64_t place = out + 4 * 512;

}  // namespace

TEST_CASE("machine code stores what its program stored elsewhere") {
  const Comparison made = compared({{2}, {{place, differences()}}});
  CHECK(made.words == 256);
  CHECK(made.equal == 256);
}

TEST_CASE("a word that differs elsewhere is found") {
  std::vector<std::uint32_t> words = differences();
  words[17] ^= 0x40000000U;
  const Comparison made = compared({{2}, {{place, words}}});
  CHECK(made.words == 256);
  CHECK(made.equal == 255);
}

TEST_CASE("what changes only here or only elsewhere differs") {
  CHECK(compared({{2}, {}}).equal == 0);
  CHECK(compared({{2}, {}}).words == 256);
  const Comparison made = compared({{2}, {{place, differences()}, {out, {1, 2}}}});
  CHECK(made.words == 258);
  CHECK(made.equal == 256);
  CHECK(compared({{}, {{place, differences()}}}).equal == 0);
}

TEST_CASE("floats and doubles are equal up to rounding") {
  // Stores the floats 1, 0, 1, which are also the double 2^-7 and half of another.
  const Function function =
      function_of({"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "MOV R4, 0x3f800000",
                   "STG.E desc[UR4][R2.64+0x4], R4", "STG.E desc[UR4][R2.64+0x8], R4", "EXIT"});
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {1, 1, 1};
  add_parameter(launch.parameters, out);
  const auto equal = [&](std::vector<std::uint32_t> elsewhere) {
    Memory memory({{out, 4096, Contents::zeros}});
    return compare({function, launch, kernel, memory}, {{0}, {{out + 4, std::move(elsewhere)}}})
        .equal;
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  const std::uint32_t one = bits(1);
  CHECK(equal({one, one}) == 2);
  CHECK(equal({bits(1.0001F), bits(0.9999F)}) == 2);
  CHECK(equal({bits(1.01F), bits(1.01F)}) == 0);
  CHECK(equal({bits(-1), one}) == 1);
  // The low half of a double: its value hardly changes.
  Memory memory({{out, 4096, Contents::zeros}});
  CHECK(compare({function, launch, kernel, memory}, {{0}, {{out, {12345, one, one}}}}).equal == 3);
}
