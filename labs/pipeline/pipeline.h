#pragma once

#include <ostream>

/// How many neighbors in a row a result is made of.
constexpr int taps = 33;

/// What each neighbor counts.
struct Weights {
  float of[taps];  ///< The weight of the first neighbor, of the second, and so on.
};

/// Prints the first weights.
inline std::ostream& operator<<(std::ostream& out, const Weights& weights) {
  return out << weights.of[0] << ", " << weights.of[1] << ", ...";
}

/// Filters a signal: each result is a weighted sum of 33 neighbors.
///
/// `out[i] = weights.of[0] * in[i] + weights.of[1] * in[i + 1] + ... + weights.of[32] * in[i + 32]`
/// for 0 <= i < n. Arithmetic is in float, and the sum may be taken in any order.
///
/// The GPU has other work to do at the same time, so there is only room for `blocks` blocks of at
/// most 256 threads. The function makes one launch, with no more than that.
///
/// Both arrays are in device memory, begin at a multiple of 16 bytes, and do not overlap. Launch on
/// the default stream; the caller synchronizes and checks for errors.
///
/// @param in       n + 32 numbers, read only
/// @param out      n numbers; the function writes all of them and nothing else
/// @param weights  33 numbers between -1 and 1
/// @param n        the number of results, 0 to 2^30; with n = 0 there is nothing to do
/// @param blocks   how many blocks may run, 1 to 1000
void filter(const float* in, float* out, Weights weights, int n, int blocks);

#ifdef __CUDACC__

/// Computes the results of a tile. It is given: this lab is about how the tile gets its numbers.
///
/// All threads of the block take part. A thread makes four neighboring results at a time, from 36
/// numbers that it loads as nine `float4`: a number comes from shared memory 9 times, not 33 times.
///
/// @param tile     results + 32 numbers in shared memory, at a multiple of 16 bytes
/// @param out      where the first result goes, at a multiple of 16 bytes
/// @param results  how many results the tile yields
/// @param weights  what each neighbor counts
__device__ __forceinline__ void weigh(const float* tile, float* out, int results,
                                      const Weights& weights) {
  constexpr int each = 4;
  int first = each * threadIdx.x;
#pragma unroll 1
  for (; first + each <= results; first += each * blockDim.x) {
    float number[taps + each - 1];
#pragma unroll
    for (int i = 0; i < taps + each - 1; i += each) {
      const float4 four = *reinterpret_cast<const float4*>(&tile[first + i]);
      number[i] = four.x, number[i + 1] = four.y, number[i + 2] = four.z, number[i + 3] = four.w;
    }
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < taps; ++k) {
      sum.x += weights.of[k] * number[k];
      sum.y += weights.of[k] * number[k + 1];
      sum.z += weights.of[k] * number[k + 2];
      sum.w += weights.of[k] * number[k + 3];
    }
    *reinterpret_cast<float4*>(&out[first]) = sum;
  }
  // The last results of all, one by one.
  for (int i = first; i < results; ++i) {
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += weights.of[k] * tile[i + k];
    out[i] = sum;
  }
}

#endif

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(filter, in, out, weights, n, blocks)
