#pragma once

#include <future>
#include <string>

namespace tilelab::judge {

/// The GPU's clock at some moment.
struct ClockReading {
  unsigned sm_mhz = 0;     ///< The clock of the multiprocessors; 0 if it is unknown.
  bool throttled = false;  ///< Whether heat or the power supply slowed the clock down.
};

/// The clock of a GPU. It is read through NVML, because the judge never touches CUDA, and unknown
/// if there is no NVML.
class GpuClock {
 public:
  /// @param bus_id  says which GPU, as cudaDeviceGetPCIBusId() does; "" if there is none
  explicit GpuClock(const std::string& bus_id);
  ~GpuClock();
  GpuClock(const GpuClock&) = delete;
  GpuClock& operator=(const GpuClock&) = delete;

  /// Reads the clock now.
  ClockReading read() const;

  /// Reads the clock after a delay, while this thread waits for something else.
  std::future<ClockReading> read_in(double seconds) const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

/// Whether a sample must be discarded: its clock was throttled, or far below the fastest one seen.
bool is_slowed(const ClockReading& reading, unsigned fastest_mhz);

}  // namespace tilelab::judge
