#include "emulator/runtime/memory/device_memory.h"
#include "probe.h"

namespace {

struct FillDevice {
  FillDevice() { tilelab::emulator::DeviceMemory::instance().limit_capacity(1); }
} before_the_first_call;

}  // namespace

void probe(const int*, int*, int) {}
