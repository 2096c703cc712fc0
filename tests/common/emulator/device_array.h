#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

/// An array in device memory, freed with its scope, for programs that nvcc compiles too and that
/// know no test framework. Errors stay in the runtime, for the program to ask for once.
template <class T>
class Array {
 public:
  /// Leaves the memory as cudaMalloc gives it: not initialized.
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
