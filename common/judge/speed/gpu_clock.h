#pragma once

#include <future>
#include <string>

namespace tilelab::judge {

/// What the GPU's clock did when it was asked.
struct ClockReading {
  unsigned sm_mhz = 0;     ///< of the multiprocessors; 0 if unknown
  bool throttled = false;  ///< slowed down by heat or by the power supply
};

/// The clock of one GPU, by NVML: the judge itself never touches CUDA. Unknown where there is no
/// NVML.
class GpuClock {
 public:
  /// @param bus_id  as cudaDeviceGetPCIBusId() has it; "" for no GPU
  explicit GpuClock(const std::string& bus_id);
  ~GpuClock();
  GpuClock(const GpuClock&) = delete;
  GpuClock& operator=(const GpuClock&) = delete;

  /// The clock now.
  ClockReading read() const;

  /// The clock in so many seconds, while this thread waits for something else.
  std::future<ClockReading> read_in(double seconds) const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

/// Whether a sample is worth nothing: its clock was throttled, or far below the fastest one seen.
bool is_slowed(const ClockReading& reading, unsigned fastest_mhz);

}  // namespace tilelab::judge
