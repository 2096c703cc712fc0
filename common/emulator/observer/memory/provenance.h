#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/memory/byte_set.h"

namespace tilelab::emulator {

/// Knows for each byte of device memory, and of the submission's variables and constants, who wrote
/// it last.
class Provenance final : public Analysis {
 public:
  Provenance();

  /// A kernel writes up to 16 bytes that do not cross a multiple of 16.
  void kernel_writes(std::uint32_t address, unsigned bytes) { by_kernel_.add(address, bytes); }
  void memory_allocated(const void* begin, std::size_t bytes) override;
  /// If no call of the submission runs, it was the worker that wrote.
  void memory_written(const void* begin, std::size_t bytes) override;
  void memory_copied(const void* to, const void* from, std::size_t bytes) override;
  void call_begins(const void*) override { is_calling_ = true; }
  void call_ends() override { is_calling_ = false; }
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
  /// See observer.h.
  std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                           std::size_t elements) const;

 private:
  void host_wrote(std::uint32_t begin, std::size_t bytes);
  /// The bytes of one range now have what another range has.
  void copied(std::uint32_t to, std::uint32_t from, std::size_t bytes);
  static Bytes in(const ByteSet& set, const ByteSet* but_not, std::uint32_t begin,
                  std::size_t bytes);

  // A kernel's store only adds to the first set, because it has to be fast: a byte that is in
  // several sets was written last by a kernel.
  ByteSet by_kernel_;
  ByteSet by_host_;
  ByteSet by_copy_;
  bool is_calling_ = false;  ///< Whether a call of the submission runs.
};

}  // namespace tilelab::emulator
