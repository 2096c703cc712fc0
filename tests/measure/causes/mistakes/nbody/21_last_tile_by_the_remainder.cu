// CAUSE: the last tile is said to have n % 256 bodies, which is 0 when n is a multiple of 256 and the last tile is full
// LINES: 31
// REPAIR: the smaller of 256 and n - tile * 256
// GOOD HINT: How many bodies does your last tile have for n = 512? What is 512 % 256?
// SYMPTOM: wrong for n = 256, 512 and other multiples of 256, right for all other n

#include "nbody.h"

namespace {

constexpr int size = 256;

__device__ float4 moved(float4 from, float3 by, float time) {
  from.x += time * by.x;
  from.y += time * by.y;
  from.z += time * by.z;
  return from;
}

__global__ void __launch_bounds__(size)
    bodies(const float4* p, const float4* v, float4* np, float4* nv, float dt, float eps, int n) {
  __shared__ float4 slots[size];
  const int t = threadIdx.x;
  const int b = blockIdx.x * size + t;
  const bool real = b < n;
  float4 mine = make_float4(0, 0, 0, 0);
  if (real) mine = p[b];
  float3 a = make_float3(0, 0, 0);
  const int tiles = (n + size - 1) / size;
  for (int tile = 0; tile < tiles; ++tile) {
    const int used = tile < tiles - 1 ? size : n % size;
    if (t < used) slots[t] = p[tile * size + t];
    __syncthreads();
    for (int j = 0; j < used; ++j) {
      const float4 o = slots[j];
      const float3 r = make_float3(o.x - mine.x, o.y - mine.y, o.z - mine.z);
      const float q = 1.0f / sqrtf(r.x * r.x + r.y * r.y + r.z * r.z + eps * eps);
      const float w = o.w * q * q * q;
      a = make_float3(a.x + w * r.x, a.y + w * r.y, a.z + w * r.z);
    }
    __syncthreads();
  }
  if (!real) return;
  const float4 faster = moved(v[b], a, dt);
  nv[b] = faster;
  np[b] = moved(mine, make_float3(faster.x, faster.y, faster.z), dt);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  bodies<<<(n + size - 1) / size, size>>>(position, velocity, next_position, next_velocity, dt,
                                          softening, n);
}
