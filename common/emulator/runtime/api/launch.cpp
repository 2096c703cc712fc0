#include "emulated/launch.h"

#include <algorithm>
#include <map>

#include "emulator/emulator.h"
#include "emulator/runtime/api/kernel_attributes.h"
#include "emulator/runtime/api/streams.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/faults/signals.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

bool fits(const dim3& extent, unsigned x, unsigned y, unsigned z) {
  return extent.x >= 1 && extent.y >= 1 && extent.z >= 1 && extent.x <= x && extent.y <= y &&
         extent.z <= z;
}

cudaError_t check(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  using namespace device_limits;
  const dim3& block = configuration.block;
  if (!fits(configuration.grid, grid_x, grid_y, grid_z) ||
      !fits(block, block_x, block_y, block_z) ||
      std::size_t{block.x} * block.y * block.z > threads_per_block) {
    return cudaErrorInvalidConfiguration;
  }
  if (configuration.dynamic_shared_bytes > dynamic_shared_limit(kernel.function)) {
    return cudaErrorInvalidValue;
  }
  if (!is_stream(configuration.stream)) return cudaErrorInvalidResourceHandle;
  return cudaSuccess;
}

}  // namespace

void run_grid(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  if (Scheduler* scheduler = Scheduler::running()) {
    scheduler->fault(cudaErrorNotSupported,
                     "launches a kernel from a kernel; dynamic parallelism is not supported");
  }
  if (sticky_error() != cudaSuccess) return;
  if (const cudaError_t error = record_error(check(kernel, configuration)); error != cudaSuccess) {
    if (listener != nullptr) listener->launch_refused(kernel, configuration, error);
    return;
  }
  install_signal_handlers();
  const DeviceMemory::Access access(DeviceMemory::instance());
  if (listener != nullptr) listener->launch_begins(kernel, configuration);
  Scheduler::instance().run(kernel, configuration);
  if (listener != nullptr) listener->launch_ends();
}

void set_order(Order order, std::uint64_t seed) { Scheduler::instance().set_order(order, seed); }

}  // namespace tilelab::emulator
