// CAUSE: In the last tile, slots without a body are left as they are, but the loop adds the pulls of all slots. They have to get a body of mass 0.
// LINES: 18
// REPAIR: before line 18: add `if (j >= n) slots_[threadIdx.x] = make_float4(0, 0, 0, 0);`
// SYMPTOM: Bodies of the tile before pull twice, or with a single tile, slots that nobody wrote are read.

#include "nbody.h"

namespace {

template <int Size>
class BodyTile {
 public:
  __device__ explicit BodyTile(float4* slots) : slots_(slots) {}

  __device__ void fill(const float4* bodies, int first, int n) {
    const int j = first + threadIdx.x;
    if (j < n) slots_[threadIdx.x] = bodies[j];
  }

  __device__ float3 pull(float4 at, float soft2, float3 sum) const {
#pragma unroll 8
    for (int j = 0; j < Size; ++j) {
      const float4 other = slots_[j];
      const float3 r = make_float3(other.x - at.x, other.y - at.y, other.z - at.z);
      const float inv = rsqrtf(fmaf(r.x, r.x, fmaf(r.y, r.y, fmaf(r.z, r.z, soft2))));
      const float scale = other.w * (inv * inv * inv);
      sum.x = fmaf(scale, r.x, sum.x);
      sum.y = fmaf(scale, r.y, sum.y);
      sum.z = fmaf(scale, r.z, sum.z);
    }
    return sum;
  }

 private:
  float4* slots_;
};

template <int Size>
__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 slots[Size];
  BodyTile<Size> tile(slots);
  const int i = blockIdx.x * Size + threadIdx.x;
  float4 p = position[min(i, n - 1)];
  float3 a = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += Size) {
    tile.fill(position, first, n);
    __syncthreads();
    a = tile.pull(p, softening * softening, a);
    __syncthreads();
  }
  if (i >= n) return;

  float4 v = velocity[i];
  v.x += dt * a.x, v.y += dt * a.y, v.z += dt * a.z;
  p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
  next_velocity[i] = v;
  next_position[i] = p;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  step<128><<<(n - 1) / 128 + 1, 128>>>(position, velocity, next_position, next_velocity, dt,
                                        softening, n);
}
