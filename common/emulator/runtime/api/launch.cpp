#include "emulated/launch.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "emulator/emulator.h"
#include "emulator/runtime/api/clusters.h"
#include "emulator/runtime/api/kernel_attributes.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/failing_calls.h"
#include "emulator/runtime/faults/signals.h"
#include "emulator/runtime/launch_listener.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_heap.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/guard_zones.h"
#include "emulator/runtime/recording/recorder.h"
#include "emulator/runtime/runtime_lock.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/described_launch.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

namespace tilelab::emulator {
namespace {

bool fits(const dim3& extent, unsigned x, unsigned y, unsigned z) {
  return extent.x >= 1 && extent.y >= 1 && extent.z >= 1 && extent.x <= x && extent.y <= y &&
         extent.z <= z;
}

bool is_empty(const dim3& extent) { return extent.x == 0 || extent.y == 0 || extent.z == 0; }

cudaError_t check_shared_memory(const KernelCall& kernel,
                                const LaunchConfiguration& configuration) {
  using namespace device_limits;
  const std::size_t taken = static_shared_bytes(kernel.function);
  if (taken > shared_bytes_per_block) {
    return explained(
        cudaErrorInvalidValue,
        "The kernel's __shared__ variables take %zu bytes, which nvcc refuses: a block "
        "may have %zu",
        taken, shared_bytes_per_block);
  }
  const std::size_t limit = dynamic_shared_limit(kernel.function);
  if (configuration.dynamic_shared_bytes <= limit) return cudaSuccess;
  const std::size_t most = shared_bytes_per_block_optin - taken;
  const bool can_be_raised = configuration.dynamic_shared_bytes <= most;
  const std::string advice = "cudaFuncSetAttribute() can raise the limit" +
                             (can_be_raised ? "" : " to " + std::to_string(most) + " at most");
  const std::string beside =
      taken > 0 ? " in addition to the " + std::to_string(taken) + " of its own arrays" : "";
  return explained(cudaErrorInvalidValue,
                   "A block may have %zu bytes of dynamic shared memory%s, and the launch asks for "
                   "%zu (%s)",
                   limit, beside.c_str(), configuration.dynamic_shared_bytes, advice.c_str());
}

cudaError_t check(const KernelCall& kernel, LaunchConfiguration& configuration) {
  using namespace device_limits;
  const dim3 &grid = configuration.grid, &block = configuration.block;
  const std::uint64_t threads = count_of(block);
  if (is_empty(grid) || is_empty(block)) {
    return explained(cudaErrorInvalidConfiguration,
                     "%s has no %s: a launch needs at least one block of one thread",
                     is_empty(grid) ? "The grid" : "A block", is_empty(grid) ? "block" : "thread");
  }
  if (threads > threads_per_block) {
    return explained(cudaErrorInvalidConfiguration,
                     "A block of %u x %u x %u threads is too large: it may have %u threads in all",
                     block.x, block.y, block.z, threads_per_block);
  }
  if (const unsigned most = most_threads(kernel.function); threads > most) {
    return explained(cudaErrorInvalidValue,
                     "A block of %u x %u x %u threads is too large: the kernel's "
                     "__launch_bounds__ promise at most %u",
                     block.x, block.y, block.z, most);
  }
  if (!fits(block, block_x, block_y, block_z)) {
    return explained(cudaErrorInvalidConfiguration,
                     "A block of %u x %u x %u threads is too large: it may have %u along z",
                     block.x, block.y, block.z, block_z);
  }
  if (!fits(grid, grid_x, grid_y, grid_z)) {
    return explained(cudaErrorInvalidConfiguration,
                     "A grid of %u x %u x %u blocks is too large: it may have %u along x, and %u "
                     "along y and z",
                     grid.x, grid.y, grid.z, grid_x, grid_y);
  }
  if (const cudaError_t error = check_shared_memory(kernel, configuration)) return error;
  if (const std::uint64_t blocks = count_of(grid); recorder == nullptr &&
                                                   configuration.is_cooperative &&
                                                   blocks * threads > cooperative_threads) {
    return explained(
        cudaErrorCooperativeLaunchTooLarge,
        "The blocks of a cooperative launch run at the same time. The emulator can run "
        "%zu threads so, and the launch asks for %zu",
        cooperative_threads, blocks * threads);
  }
  if (!is_stream(configuration.stream)) {
    return explained(cudaErrorInvalidResourceHandle,
                     "The stream was destroyed before, or never created");
  }
  if (is_capturing(configuration.stream)) {
    return explained(cudaErrorStreamCaptureUnsupported,
                     "A lab's functions cannot capture launches");
  }
  return apply_clusters(kernel.function, configuration);
}

/// What the next launch is asked for instead of running.
DescribedLaunch* question = nullptr;

void describe(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  question->kernel = kernel.function;
  question->configuration = configuration;
  const auto copy = [](void* context, const Argument& argument) {
    auto& launch = *static_cast<DescribedLaunch*>(context);
    launch.values.emplace_back(new std::byte[argument.bytes]);
    launch.arguments.push_back(launch.values.back().get());
    std::memcpy(launch.arguments.back(), argument.value, argument.bytes);
  };
  kernel.arguments.visit(copy, question);
}

}  // namespace

DescribedLaunch describe_launch(const Work& launch) {
  DescribedLaunch answer;
  question = &answer;
  launch();
  question = nullptr;
  return answer;
}

cudaError_t run_grid(const KernelCall& kernel, const LaunchConfiguration& asked) {
  if (question != nullptr) {
    describe(kernel, asked);
    return cudaSuccess;
  }
  if (Scheduler* scheduler = Scheduler::running()) {
    scheduler->fault(cudaErrorNotSupported,
                     "launches a kernel from a kernel; dynamic parallelism is not supported");
  }
  const RuntimeLock lock;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (const auto error = failure_of_launch(kernel.name)) return *error;
  LaunchConfiguration configuration = asked;
  configuration.stream = StreamOfWork::of(asked.stream);
  if (const cudaError_t error = record_error(check(kernel, configuration)); error != cudaSuccess) {
    tell(&Listener::launch_refused, kernel, configuration, error);
    return error;
  }
  const DeviceMemory::Access access(DeviceMemory::instance());
  const std::vector<std::uint64_t>* only = nullptr;
  if (recorder != nullptr) {
    recorder->launch(kernel, configuration);
    if (!recorder->is_trial()) return cudaSuccess;
    only = recorder->blocks_to_run();
  }
  if (launch_listener != nullptr) launch_listener->launch_begins(kernel, configuration);
  install_signal_handlers();
  if (progress_listener != nullptr) progress_listener->launch_begins(kernel, configuration);
  const GuardZones guards(DeviceMemory::instance());
  BlockTimes* const times = recorder == nullptr ? nullptr : recorder->times();
  Scheduler::instance().run(kernel, configuration, only, times);
  if (recorder != nullptr) recorder->launch_ends();
  guards.check(kernel.name);
  if (progress_listener != nullptr) progress_listener->launch_ends();
  DeviceHeap::instance().reuse_released();
  return cudaSuccess;
}

bool runs_kernel() { return Scheduler::running() != nullptr; }

void set_order(Order order, std::uint64_t seed) { Scheduler::instance().set_order(order, seed); }

}  // namespace tilelab::emulator
