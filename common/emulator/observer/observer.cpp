#include "emulator/observer/observer.h"

#include "emulator/observer/dispatcher.h"

namespace tilelab::emulator {

void start_observing(const ObserverOptions& options) {
  // The end of the caller's stack frame: what the caller calls next begins there.
  Dispatcher::instance().call_begins(__builtin_dwarf_cfa());
  Dispatcher::instance().start(options);
}

void observe_program(const ObserverOptions& options) { Dispatcher::instance().start(options); }

void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements) {
  Dispatcher::instance().name(pointer, name, element_bytes, elements);
}

void note_input(const void* pointer, std::size_t bytes) {
  Dispatcher::instance().note_input(pointer, bytes);
}

void note_unwritten(const void* pointer, std::size_t bytes) {
  Dispatcher::instance().note_unwritten(pointer, bytes);
}

std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                         std::size_t elements) {
  return Dispatcher::instance().foreign_work(pointer, name, element_bytes, elements);
}

report::Report take_report() { return Dispatcher::instance().take_report(); }

}  // namespace tilelab::emulator
