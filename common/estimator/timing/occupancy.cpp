#include "estimator/timing/occupancy.h"

#include <algorithm>
#include <cmath>

#include "estimator/timing/sub_partition.h"

namespace tilelab::estimator {

namespace {

/// The next multiple of a unit.
double rounded_up(double value, double unit) { return std::ceil(value / unit) * unit; }

// The units in which an SM hands out what it has.
constexpr double registers_of_warp_unit = 256;
constexpr double shared_bytes_unit = 128;

}  // namespace

int resident_blocks(const Launch& launch, const Kernel& kernel, const Gpu& gpu) {
  const double warps = launch.warps();
  const double registers_of_warp = rounded_up(kernel.registers * 32, registers_of_warp_unit);
  // Warps stay in one sub-partition, which has its own registers.
  const double warps_of_sub_partition =
      std::floor(gpu.registers / sub_partitions / registers_of_warp);
  const double by_registers = std::floor(warps_of_sub_partition * sub_partitions / warps);
  const double shared =
      rounded_up(kernel.shared_bytes + launch.dynamic_shared_bytes, shared_bytes_unit) +
      gpu.shared_reserved;
  const double by_shared = std::floor(gpu.shared_bytes / shared);
  const double by_warps = std::floor(gpu.warps / warps);
  return static_cast<int>(std::max(1.0, std::min({gpu.blocks, by_warps, by_registers, by_shared})));
}

double cache_bytes(const Launch& launch, const Kernel& kernel, const Gpu& gpu, int resident) {
  const double wanted =
      resident * (kernel.shared_bytes + launch.dynamic_shared_bytes + gpu.shared_reserved);
  // The driver gives shared memory one of these sizes.
  for (const double kib : {8, 16, 32, 64, 100, 132, 164, 196}) {
    if (wanted <= kib * 1024) return gpu.l1_bytes - kib * 1024;
  }
  return gpu.l1_bytes - 228 * 1024;
}

}  // namespace tilelab::estimator
