#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

/// An array in device memory that is freed at the end of its scope. It is for programs that nvcc
/// compiles too and that use no test framework. The runtime keeps errors until the program asks.
template <class T>
class Array {
 public:
  /// Leaves the memory uninitialized, as cudaMalloc returns it.
  explicit Array(std::size_t count) : count_(count) {
    cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  Array(std::size_t count, T value) : Array(std::vector<T>(count, value)) {}
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  operator T*() const { return data_; }

  std::vector<T> values() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};
