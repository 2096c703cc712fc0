#include "judge/speed/gpu_clock.h"

#include <dlfcn.h>

#include <chrono>
#include <thread>

namespace tilelab::judge {
namespace {

// From NVML's reference manual, because the driver has the library but only the CUDA Toolkit has
// its header.
using Init = int (*)();
using HandleByBusId = int (*)(const char* bus_id, void** device);
using ClockInfo = int (*)(void* device, int kind, unsigned* mhz);
using ThrottleReasons = int (*)(void* device, unsigned long long* reasons);
constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr unsigned long long hardware_slowdown = 0x8, software_thermal = 0x20,
                             hardware_thermal = 0x40, hardware_power_brake = 0x80;
constexpr unsigned long long slowing =
    hardware_slowdown | software_thermal | hardware_thermal | hardware_power_brake;

template <class F>
F function(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

}  // namespace

GpuClock::GpuClock(const std::string& bus_id) {
  if (bus_id.empty()) return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library_ == nullptr) return;
  const auto init = function<Init>(library_, "nvmlInit_v2");
  const auto find = function<HandleByBusId>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || find == nullptr || init() != success) return;
  if (find(bus_id.c_str(), &device_) != success) device_ = nullptr;
}

GpuClock::~GpuClock() {
  if (library_ == nullptr) return;
  if (const auto shutdown = function<Init>(library_, "nvmlShutdown")) shutdown();
  dlclose(library_);
}

ClockReading GpuClock::read() const {
  ClockReading reading;
  if (device_ == nullptr) return reading;
  const auto clock = function<ClockInfo>(library_, "nvmlDeviceGetClockInfo");
  if (clock != nullptr && clock(device_, clock_sm, &reading.sm_mhz) != success) reading.sm_mhz = 0;
  const auto why = function<ThrottleReasons>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
  unsigned long long reasons = 0;
  if (why != nullptr && why(device_, &reasons) == success) {
    reading.throttled = (reasons & slowing) != 0;
  }
  return reading;
}

std::future<ClockReading> GpuClock::read_in(double seconds) const {
  return std::async(std::launch::async, [this, seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return read();
  });
}

bool is_slowed(const ClockReading& reading, unsigned fastest_mhz) {
  constexpr double least_share = 0.9;
  return reading.throttled || reading.sm_mhz < least_share * fastest_mhz;
}

}  // namespace tilelab::judge
