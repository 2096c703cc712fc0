// CAUSE: The tile is dynamic shared memory, and the launch asks for block * sizeof(float) bytes. A slot is a float4, so only a quarter of the tile is there.
// LINES: 56
// REPAIR: line 56: `sizeof(float);` -> `sizeof(float4);`
// GOOD HINT: The third number in <<< , , >>> counts bytes. How many bytes does one slot of your tile take, and how many do you ask for?
// SYMPTOM: Accesses outside of shared memory by threads 64 to 255: invalid address / crash, or wrong sums.
#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  extern __shared__ float4 tile[];  // one body per thread
  const int tx = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tx;
  const int size = blockDim.x;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += size) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < size; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      ax += pull * x;
      ay += pull * y;
      az += pull * z;
    }
    __syncthreads();
  }

  if (i >= n) return;
  float4 moving = velocity[i];
  moving.x += dt * ax;
  moving.y += dt * ay;
  moving.z += dt * az;
  next_velocity[i] = moving;

  float4 moved = body;
  moved.x += dt * moving.x;
  moved.y += dt * moving.y;
  moved.z += dt * moving.z;
  next_position[i] = moved;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  const size_t tile_bytes = block * sizeof(float);
  nbody_kernel<<<grid, block, tile_bytes>>>(position, velocity, next_position, next_velocity, dt,
                                            softening, n);
}
