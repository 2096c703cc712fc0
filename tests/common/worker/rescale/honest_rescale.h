#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "rescale.h"

/// What rescale() should do, without a kernel, so that these workers need no device compiler.
inline long long honest_rescale(short* values, const Change& change, int n) {
  std::vector<short> copy(static_cast<std::size_t>(n));
  const std::size_t bytes = copy.size() * sizeof(short);
  static_cast<void>(cudaMemcpy(copy.data(), values, bytes, cudaMemcpyDeviceToHost));
  long long sum = 0;
  for (short i = change.first; i < change.end; ++i) {
    short& value = copy[static_cast<std::size_t>(i)];
    value = static_cast<short>(change.factor * value + static_cast<double>(change.offset));
    sum += value;
  }
  static_cast<void>(cudaMemcpy(values, copy.data(), bytes, cudaMemcpyHostToDevice));
  return sum;
}
