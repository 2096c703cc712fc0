// What the dispatcher does about streams.

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {

void Dispatcher::stream_created(cudaStream_t stream, bool waits_for_default) {
  streams_.clocks().created(stream, waits_for_default);
}

void Dispatcher::event_recorded(cudaEvent_t event, cudaStream_t stream) {
  streams_.clocks().record(event, stream);
}

void Dispatcher::stream_waits(cudaStream_t stream, cudaEvent_t event) {
  streams_.clocks().wait(stream, event);
}

void Dispatcher::host_waits(cudaStream_t stream) { streams_.clocks().host_waits(stream); }

void Dispatcher::host_waits_for_event(cudaEvent_t event) {
  streams_.clocks().host_waits_for_event(event);
}

void Dispatcher::host_waits_for_device() {
  streams_.clocks().host_waits_for_device();
  streams_.all_is_done();
}

void Dispatcher::stream_copy_begins(cudaStream_t stream, const char* call) {
  streams_.copy_begins(stream, call);
}

void Dispatcher::stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) {
  if (!is_observing_ || options_.detail < Detail::everything) return;
  if (!DeviceMemory::instance().contains(begin)) return;
  streams_.copy_accesses(compress_arena(reinterpret_cast<std::uintptr_t>(begin)), bytes, writes);
}

void Dispatcher::stream_copy_ends() { streams_.copy_ends(); }

}  // namespace tilelab::emulator
