// The reporting half of a worker whose submission was compiled with --checked.

#include "emulator/observer/counts/merged_launches.h"
#include "emulator/observer/observer.h"
#include "report/encode.h"
#include "worker/backend.h"

namespace tilelab::worker {

void start_observing(const wire::Request& request) {
  emulator::start_observing({request.detail, request.block_limit, request.order_seed});
}

void name_array(const void* pointer, const char* name, std::size_t element_bytes,
                std::size_t elements, bool is_input) {
  emulator::name_allocation(pointer, name, element_bytes, elements);
  if (!is_input) emulator::note_unwritten(pointer, element_bytes * elements);
}

std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                         std::size_t elements) {
  return emulator::foreign_work(pointer, name, element_bytes, elements);
}

std::vector<std::byte> take_report(std::size_t room) {
  report::Report report = emulator::take_report();
  std::vector<std::byte> bytes = report::encode(report);
  if (bytes.size() <= room) return bytes;
  emulator::shorten(report);
  return report::encode(report);
}

}  // namespace tilelab::worker
