#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "judge/catch.h"

/// What the tests of the emulator share.

/// An array in device memory that is freed at the end of its scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    REQUIRE(cudaMalloc(&data_, count * sizeof(T)) == cudaSuccess);
  }
  DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  ~DeviceArray() {
    cudaFree(data_);
    cudaGetLastError();  // after cudaDeviceReset() there was nothing to free
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::vector<T> values() const {
    std::vector<T> result(count_);
    REQUIRE(cudaMemcpy(result.data(), data_, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess);
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// The sentence about the fault that `launch` runs into. The error must be `expected`. Resets the
/// device afterwards.
template <class Launch>
std::string fault_of(cudaError_t expected, Launch launch) {
  launch();
  const cudaError_t error = cudaDeviceSynchronize();
  const std::string sentence = tilelab::emulator::fault_message();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  INFO(sentence);
  REQUIRE(error == expected);
  return sentence;
}

/// "file.cu:12", as sentences write a place.
inline std::string place(const char* file, int line) {
  const char* slash = std::strrchr(file, '/');
  return std::string(slash != nullptr ? slash + 1 : file) + ':' + std::to_string(line);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define REQUIRE_CONTAINS(text, part) \
  do {                               \
    INFO(text);                      \
    REQUIRE(contains(text, part));   \
  } while (false)

/// Restores the usual order at the end of its scope.
struct OrderGuard {
  ~OrderGuard() { tilelab::emulator::set_order(tilelab::Order::ascending, 0); }
};
