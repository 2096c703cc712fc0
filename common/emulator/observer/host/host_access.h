#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/memory/provenance.h"
#include "emulator/runtime/memory/host_keeper.h"

namespace tilelab::emulator {

/// Watches what the submission's host code reads and writes, itself and through the runtime.
class HostAccess final : public Analysis, public HostKeeper {
 public:
  HostAccess(FindingLog& findings, Provenance& provenance)
      : findings_(findings), provenance_(provenance) {}

  void call_begins(const void* stack_limit) override;
  void call_ends() override { is_calling_ = false; }
  void variable_read(const void* begin, std::size_t bytes) override;

  // For the hooks: host code reads memory, or writes its own.
  bool is_calling() const { return is_calling_; }
  void reads(std::uintptr_t address, std::size_t bytes);
  void writes(std::uintptr_t address, std::size_t bytes);

  // HostKeeper
  bool may_write(const void* begin, std::size_t bytes) override;
  void* allocate(std::size_t bytes) override;
  bool release(void* pointer) override;

 private:
  FindingLog& findings_;
  Provenance& provenance_;
  bool is_calling_ = false;  ///< Whether host code of the submission runs, or its kernels.
};

}  // namespace tilelab::emulator
