#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer/memory/byte_set.h"

namespace tilelab::emulator {

/// Knows for each byte of device memory, and of the submission's variables and constants, who wrote
/// it last.
class Provenance {
 public:
  Provenance();

  /// A kernel writes up to 16 bytes that do not cross a multiple of 16.
  void kernel_writes(std::uint32_t address, unsigned bytes) { by_kernel_.add(address, bytes); }
  /// The host code of a submission wrote a range.
  void host_wrote(std::uint32_t begin, std::size_t bytes);
  /// The bytes of one range now have what another range has.
  void copied(std::uint32_t to, std::uint32_t from, std::size_t bytes);
  /// The range is new, or the worker filled it: nobody wrote it.
  void forget(std::uint32_t begin, std::size_t bytes);

  /// How many bytes of a range somebody wrote last, and where the first of them is.
  struct Bytes {
    std::size_t count = 0;
    std::size_t first = 0;
  };
  Bytes written_by_kernels(std::uint32_t begin, std::size_t bytes) const;
  Bytes written_by_host(std::uint32_t begin, std::size_t bytes) const;
  /// Copies of what nobody wrote, such as the inputs of a call.
  Bytes copied_from_inputs(std::uint32_t begin, std::size_t bytes) const;

 private:
  static Bytes in(const ByteSet& set, const ByteSet* but_not, std::uint32_t begin,
                  std::size_t bytes);

  // A kernel's store only adds to the first set, because it has to be fast: a byte that is in
  // several sets was written last by a kernel.
  ByteSet by_kernel_;
  ByteSet by_host_;
  ByteSet by_copy_;
};

}  // namespace tilelab::emulator
