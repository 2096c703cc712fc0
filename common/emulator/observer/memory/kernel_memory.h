#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulated/launch.h"
#include "emulator/observer/events/analysis.h"

namespace tilelab::emulator {

/// Knows which memory kernels may use. The hooks check most accesses themselves with HotState,
/// which this class fills in. They ask this class about the others.
class KernelMemory final : public Analysis {
 public:
  /// Limits device memory to what compressed addresses have room for.
  KernelMemory();

  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void launch_ends() override;
  void memory_allocated(const void* begin, std::size_t bytes) override {
    allow(reinterpret_cast<std::uintptr_t>(begin), bytes);
  }
  void memory_released(const void* begin, std::size_t bytes) override {
    forbid(reinterpret_cast<std::uintptr_t>(begin), bytes);
  }
  /// The barrier's state is not in the memory, so no access tells whether it could be.
  void barrier_initialized(const void* barrier, Site site) override;

  /// Lets kernels use bytes of device memory. The begin is rounded down to a multiple of 8.
  void allow(std::uintptr_t begin, std::size_t bytes);
  /// Takes the permission back.
  void forbid(std::uintptr_t begin, std::size_t bytes);

  /// The compressed address of an access, if the running kernel may use that memory. Does not know
  /// about stacks.
  std::optional<std::uint32_t> compress(std::uintptr_t address, std::size_t bytes) const;

  /// The size of the running launch's dynamic shared memory.
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }

 private:
  static void note_arguments(const KernelCall& kernel);
  bool is_allowed(std::uintptr_t address, std::size_t bytes) const;
  std::optional<std::uint32_t> compress_foreign(std::uintptr_t address, std::size_t bytes) const;

  std::uint8_t*
      addressable_;  ///< How many of each 8 bytes of device memory are allowed: the first n.
  std::size_t dynamic_bytes_ = 0;
};

}  // namespace tilelab::emulator
