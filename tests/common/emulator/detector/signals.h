#pragma once

#include "cases.h"

/// What cases about order share: an array to fill, flags that start at 0, and ways to signal.
namespace tilelab::detector {

constexpr int block = 64;
constexpr int most_blocks = 4;
constexpr int n = most_blocks * block;

using SignalingKernel = void(int* data, int* flags, int* out);

inline void launch(SignalingKernel* kernel, int blocks, int threads) {
  const Array<int> data(n, 0);
  const Array<int> flags(n, 0);
  const Array<int> out(n, 0);
  kernel<<<blocks, threads>>>(data, flags, out);
  finish();
}

inline __device__ void raise_flag(int* flag) { atomicExch(flag, 1); }

inline __device__ void wait_for(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

inline __device__ void lock(int* word) {
  while (atomicCAS(word, 0, 1) != 0) {
  }
}

inline __device__ void unlock(int* word) { atomicExch(word, 0); }

}  // namespace tilelab::detector
