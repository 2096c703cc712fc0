#pragma once

/// cuRAND's functions for kernels. Their generator is Marsaglia's xorwow, as in CUDA, but the start
/// of a sequence is another one: the numbers differ from those of a GPU, and are the same in each
/// run.

#include <cmath>
#include <cstdint>

#include "cuda_runtime.h"
#include "curand.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  float extra;  ///< The second of two normal numbers.
  int has_extra;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
// The other generators give numbers of the same kind.
struct curandStatePhilox4_32_10 : curandStateXORWOW {};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a : curandStateXORWOW {};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace tilelab::emulator {

/// The next number of SplitMix64, whose numbers are independent for different beginnings.
inline std::uint64_t next_seed(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace tilelab::emulator

inline unsigned curand(curandStateXORWOW* state) {
  const unsigned t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}

inline void skipahead(unsigned long long numbers, curandStateXORWOW* state) {
  for (; numbers > 0; --numbers) static_cast<void>(curand(state));
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW* state) {
  std::uint64_t mixed = seed;
  mixed = tilelab::emulator::next_seed(mixed) ^ sequence;
  for (unsigned& word : state->v) {
    word = static_cast<unsigned>(tilelab::emulator::next_seed(mixed) >> 32) | 1u;
  }
  state->d = static_cast<unsigned>(tilelab::emulator::next_seed(mixed));
  state->extra = 0;
  state->has_extra = 0;
  skipahead(offset, state);
}

/// In (0, 1].
inline float curand_uniform(curandStateXORWOW* state) {
  return static_cast<float>((curand(state) >> 8) + 1) * 0x1p-24f;
}
inline double curand_uniform_double(curandStateXORWOW* state) {
  const std::uint64_t high = curand(state);
  const std::uint64_t bits = (high << 32 | curand(state)) >> 11;
  return static_cast<double>(bits + 1) * 0x1p-53;
}
inline float2 curand_normal2(curandStateXORWOW* state) {
  const float radius = std::sqrt(-2.0f * std::log(curand_uniform(state)));
  const float angle = 6.2831853f * curand_uniform(state);
  return make_float2(radius * std::sin(angle), radius * std::cos(angle));
}
inline float curand_normal(curandStateXORWOW* state) {
  if (state->has_extra != 0) {
    state->has_extra = 0;
    return state->extra;
  }
  const float2 both = curand_normal2(state);
  state->extra = both.y;
  state->has_extra = 1;
  return both.x;
}
inline double curand_normal_double(curandStateXORWOW* state) {
  const double radius = std::sqrt(-2.0 * std::log(curand_uniform_double(state)));
  return radius * std::sin(6.283185307179586 * curand_uniform_double(state));
}
inline float curand_log_normal(curandStateXORWOW* state, float mean, float deviation) {
  return std::exp(mean + deviation * curand_normal(state));
}
inline uint4 curand4(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return make_uint4(x, y, z, w);
}
inline float4 curand_uniform4(curandStateXORWOW* state) {
  const float x = curand_uniform(state), y = curand_uniform(state);
  const float z = curand_uniform(state), w = curand_uniform(state);
  return make_float4(x, y, z, w);
}
inline float4 curand_normal4(curandStateXORWOW* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return make_float4(a.x, a.y, b.x, b.y);
}
