#include "emulator/observer/observer.h"

#include "emulator/observer/dispatcher.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
void start_observing(const ObserverOptions& options) {
  // The end of the caller's stack frame: what the caller calls next begins there.
  tell(&Listener::call_begins, __builtin_dwarf_cfa());
  Dispatcher::instance().start(options);
}

void observe_program(const ObserverOptions& options) { Dispatcher::instance().start(options); }

void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements) {
  const auto block = DeviceMemory::instance().block_below(pointer);
  if (!block || static_cast<std::size_t>(block->offset) > block->size) return;
  analyses().names.add(pointer, name, element_bytes, elements);
  analyses().arguments.add_array(pointer, element_bytes * elements);
  if (elements == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  KernelMemory& memory = analyses().kernel_memory;
  memory.forbid(begin - static_cast<std::size_t>(block->offset), block->size);
  memory.allow(begin, elements * element_bytes);
}

void note_unwritten(const void* pointer, std::size_t bytes) {
  analyses().uninitialized_reads.note_unwritten(pointer, bytes);
}

std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                         std::size_t elements) {
  return analyses().provenance.foreign_work(pointer, name, element_bytes, elements);
}

void note_host_fault(const char* sentence) { analyses().findings.add_host_fault(sentence); }

report::Report take_report() { return Dispatcher::instance().take_report(); }

}  // namespace tilelab::emulator
