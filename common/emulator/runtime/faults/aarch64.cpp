#include "emulator/runtime/faults/aarch64.h"

namespace tilelab::emulator {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, int high, int low) {
  return word >> low & ((1u << (high - low + 1)) - 1);
}

/// One register, and the operations that fetch and modify.
bool writes_single(std::uint32_t instruction) {
  const bool is_atomic = bits(instruction, 24, 24) == 0 && bits(instruction, 21, 21) == 1 &&
                         bits(instruction, 11, 10) == 0;
  const std::uint32_t operation = bits(instruction, 23, 22);
  const bool is_vector = bits(instruction, 26, 26) == 1;
  const bool is_byte_sized = bits(instruction, 31, 30) == 0;
  return is_atomic || operation == 0 || (is_vector && is_byte_sized && operation == 2);
}

}  // namespace

// "Loads and Stores" in the encoding index of the Arm Architecture Reference Manual.
bool writes_memory(std::uint32_t instruction) {
  const bool is_load_or_store = bits(instruction, 27, 27) == 1 && bits(instruction, 25, 25) == 0;
  if (!is_load_or_store) return true;  // `dc zva`, which clears a cache line
  const bool is_load = bits(instruction, 22, 22) == 1;
  switch (bits(instruction, 29, 28)) {
    case 0: {  // exclusive or ordered, compare and swap, several vectors
      const bool is_compare_and_swap = bits(instruction, 26, 26) == 0 &&
                                       bits(instruction, 23, 23) == 1 &&
                                       bits(instruction, 21, 21) == 1;
      return is_compare_and_swap || !is_load;
    }
    case 1:  // from an address relative to the program's
      return false;
    case 2:  // two registers
      return !is_load;
    default:
      return writes_single(instruction);
  }
}

}  // namespace tilelab::emulator
