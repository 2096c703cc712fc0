#pragma once

/// What a kernel says of itself to the runtime.

#include <cstddef>
#include <cstdint>

namespace tilelab::emulator {

/// One note in the section tilelab_kernels. It tells by its place which kernel it is of, since the
/// instances of a template have no names that could be written down.
struct KernelNote {
  std::int64_t to_code;     ///< From the note to the code that it is for.
  std::uint64_t number;     ///< 0: the kernel begins. Others: one of its `__shared__` variables.
  std::uint64_t value;      ///< The threads that a block may have, 0 for any; the variable's bytes.
  std::uint64_t alignment;  ///< The variable's.
};

/// The rewriter puts this into kernels. The section is in the group of the code, if that has one,
/// so that the linker keeps or drops both.
template <std::uint64_t number, std::uint64_t value, std::uint64_t alignment>
[[gnu::always_inline]] inline void note_of_kernel() {
  asm volatile(
      "771:\n\t"
      ".pushsection tilelab_kernels, \"a?\", @progbits\n\t"
      ".balign 8\n\t"
      ".quad 771b - .\n\t"
      ".quad %c0, %c1, %c2\n\t"
      ".popsection"
      :
      : "i"(number), "i"(value), "i"(alignment));
}

}  // namespace tilelab::emulator
