#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "derivatives/reference.h"
#include "judge/catch.h"

#ifdef HAS_CHECKED_KERNELS
#include "emulator/observer/observer.h"
#include "report/report.h"
#include "report/texts.h"
#endif

/// What the tests of kernels share that are no submissions. Those are compiled as submissions are,
/// on both backends, and called from here.
namespace derivatives {

/// Uniform noise: there every point counts, and the last one does not repeat the first.
inline Problem noise(Axis axis, const Grid& grid) {
  Problem p{axis, grid, 0.3f, std::vector<float>(grid.size())};
  std::mt19937 engine(grid.mx);
  for (float& value : p.f) value = std::uniform_real_distribution<float>(-1, 1)(engine);
  return p;
}

/// Floats in device memory, beginning `offset` floats behind a multiple of 256 bytes. Freed with
/// their scope.
class DeviceField {
 public:
  explicit DeviceField(std::size_t count, std::size_t offset = 0) : count_(count), offset_(offset) {
    const std::size_t bytes = (offset + count) * sizeof(float);
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes) == cudaSuccess);
    // All bits set: a NaN where nothing is written.
    REQUIRE(cudaMemset(memory_, 0xff, bytes) == cudaSuccess);
  }
  explicit DeviceField(const std::vector<float>& values, std::size_t offset = 0)
      : DeviceField(values.size(), offset) {
    REQUIRE(cudaMemcpy(*this, values.data(), count_ * sizeof(float), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~DeviceField() { cudaFree(memory_); }
  DeviceField(const DeviceField&) = delete;
  DeviceField& operator=(const DeviceField&) = delete;

  operator float*() const { return memory_ + offset_; }

  std::vector<float> values() const {
    std::vector<float> result(count_);
    REQUIRE(cudaMemcpy(result.data(), *this, count_ * sizeof(float), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result;
  }

 private:
  std::size_t count_, offset_;
  float* memory_ = nullptr;
};

/// Runs kernels. On the emulator they are watched, and nothing is to be found: no race, no stray
/// access, no read of memory that nobody wrote.
inline void run(const std::function<void()>& kernels) {
#ifdef HAS_CHECKED_KERNELS
  tilelab::emulator::start_observing({});
  kernels();
  const auto report = tilelab::emulator::take_report();
  std::string texts;
  const auto add = [&](const auto& findings) {
    for (const auto& each : findings) texts += tilelab::report::text_of(each) + '\n';
  };
  add(report.findings);
  for (const auto& launch : report.launches) add(launch.findings);
  if (!texts.empty()) FAIL(texts);
#else
  kernels();
#endif
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

/// Whether this is the problem's derivative, against float64.
inline void check(const Problem& p, const std::vector<float>& got) {
  const std::vector<float> expected = derivative(p);
  const double allowed = tolerance(1, p.spacing);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(double(got[i]) - expected[i]) <= allowed) continue;
    FAIL("df/d" << name_of(p.axis) << p.grid.place(i) << " is " << got[i] << ", expected "
                << expected[i]);
  }
}

}  // namespace derivatives
