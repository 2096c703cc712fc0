// Reading AArch64's instructions, as its assembler writes them. Runs on every machine.

#include "emulator/runtime/faults/aarch64.h"

#include <cstdint>

#include "judge/catch.h"

namespace {

struct Instruction {
  std::uint32_t code;
  const char* text;
};

}  // namespace

TEST_CASE("AArch64's instructions that read memory are told from those that write") {
  using tilelab::emulator::writes_memory;
  for (const Instruction& load : {
           Instruction{0xb9400020, "ldr w0, [x1]"},
           {0x3dc00420, "ldr q0, [x1, #16]"},
           {0x3d400020, "ldr b0, [x1]"},
           {0xb8a26820, "ldrsw x0, [x1, x2]"},
           {0x38401420, "ldrb w0, [x1], #1"},
           {0x39800020, "ldrsb x0, [x1]"},
           {0x39c00020, "ldrsb w0, [x1]"},
           {0xf85f8020, "ldur x0, [x1, #-8]"},
           {0xa9400440, "ldp x0, x1, [x2]"},
           {0xadc10440, "ldp q0, q1, [x2, #32]!"},
           {0x885ffc20, "ldaxr w0, [x1]"},
           {0xc8dffc20, "ldar x0, [x1]"},
           {0x4c407820, "ld1 {v0.4s}, [x1]"},
           {0x58000000, "ldr x0, ."},
       }) {
    INFO(load.text);
    CHECK_FALSE(writes_memory(load.code));
  }
  for (const Instruction& store : {
           Instruction{0xb9000020, "str w0, [x1]"},
           {0x3d800420, "str q0, [x1, #16]"},
           {0x3d000020, "str b0, [x1]"},
           {0x3ca26820, "str q0, [x1, x2]"},
           {0x38001420, "strb w0, [x1], #1"},
           {0x79000020, "strh w0, [x1]"},
           {0xf81f8020, "stur x0, [x1, #-8]"},
           {0xa9000440, "stp x0, x1, [x2]"},
           {0xad810440, "stp q0, q1, [x2, #32]!"},
           {0x8803fc20, "stlxr w3, w0, [x1]"},
           {0xc89ffc20, "stlr x0, [x1]"},
           {0x4c007820, "st1 {v0.4s}, [x1]"},
           {0xb8200041, "ldadd w0, w1, [x2]"},
           {0xf8208041, "swp x0, x1, [x2]"},
           {0x88a07c41, "cas w0, w1, [x2]"},
           {0xd50b7420, "dc zva, x0"},
       }) {
    INFO(store.text);
    CHECK(writes_memory(store.code));
  }
}
