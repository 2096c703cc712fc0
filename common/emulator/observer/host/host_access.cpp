#include "emulator/observer/host/host_access.h"

#include "emulator/observer/host/host_memory.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/host_reads.h"

namespace tilelab::emulator {

void HostAccess::call_begins(const void* stack_limit) {
  HostMemory::instance().begin(stack_limit);
  is_calling_ = true;
}

void HostAccess::reads(std::uintptr_t address, std::size_t bytes) {
  if (!is_calling_ || HostMemory::instance().is_on_heap_or_stack(address)) return;
  if (Scheduler::instance().is_on_stack(reinterpret_cast<const void*>(address))) {
    return host_reads(bytes);
  }
  const auto variable = compress_any_variable(address, bytes);
  if (!variable) return;
  const std::size_t from_device = provenance_.written_by_kernels(*variable, bytes).count +
                                  provenance_.copied_from_inputs(*variable, bytes).count;
  if (from_device > 0) host_reads(from_device);
}

void HostAccess::writes(std::uintptr_t address, std::size_t bytes) {
  if (const auto variable = compress_any_variable(address, bytes)) {
    provenance_.forget(*variable, bytes);
  }
}

void HostAccess::variable_read(const void* begin, std::size_t bytes) {
  reads(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

bool HostAccess::may_write(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (!is_calling_ || HostMemory::instance().may_write(address, bytes)) return true;
  findings_.add(report::FindingKind::forbidden_write,
                {MemorySpace::host, "", 0, static_cast<unsigned>(bytes)}, {},
                "a call of the CUDA runtime would have written memory that does not belong to the "
                "submission");
  return false;
}

void* HostAccess::allocate(std::size_t bytes) { return HostMemory::instance().allocate(bytes); }

bool HostAccess::release(void* pointer) { return HostMemory::instance().release(pointer); }

}  // namespace tilelab::emulator
