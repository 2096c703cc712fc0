// CAUSE: The thread that adds up the four partial sums begins with its own, part 0, and then adds part 0 once more.
// LINES: 51
// REPAIR: line 51: `for (int p = 0; p < PARTS; p++) {` -> `for (int p = 1; p < PARTS; p++) {`
// SYMPTOM: The pull of the bodies in the first quarter of each tile counts twice: velocities and positions are wrong for n > 1.
#include "nbody.h"

#define BODIES 64   // per block
#define PARTS  4    // threads that share a body
#define TILE   (BODIES * PARTS)

struct Acc {
    float x, y, z;
};

__device__ void addPull(Acc &acc, float4 me, float4 other, float eps2)
{
    float rx = other.x - me.x;
    float ry = other.y - me.y;
    float rz = other.z - me.z;
    float inv = rsqrtf(fmaf(rx, rx, fmaf(ry, ry, fmaf(rz, rz, eps2))));
    float s = other.w * inv * inv * inv;
    acc.x += s * rx;
    acc.y += s * ry;
    acc.z += s * rz;
}

__global__ void stepKernel(const float4 *pos, const float4 *vel, float4 *newPos, float4 *newVel,
                           float dt, float eps2, int n)
{
    __shared__ float4 tile[TILE];
    __shared__ Acc parts[PARTS][BODIES];
    int x = threadIdx.x, part = threadIdx.y;
    int tid = part * BODIES + x;
    int i = blockIdx.x * BODIES + x;
    float4 zero = make_float4(0, 0, 0, 0);
    float4 me = i < n ? pos[i] : zero;
    Acc acc = {0, 0, 0};

    for (int base = 0; base < n; base += TILE) {
        tile[tid] = base + tid < n ? pos[base + tid] : zero;
        __syncthreads();
        for (int j = part * BODIES; j < (part + 1) * BODIES; j++)
            addPull(acc, me, tile[j], eps2);
        __syncthreads();
    }

    parts[part][x] = acc;
    __syncthreads();

    if (part == 0 && i < n) {
        for (int p = 0; p < PARTS; p++) {
            acc.x += parts[p][x].x;
            acc.y += parts[p][x].y;
            acc.z += parts[p][x].z;
        }
        float4 v = vel[i];
        v.x += dt * acc.x;
        v.y += dt * acc.y;
        v.z += dt * acc.z;
        me.x += dt * v.x;
        me.y += dt * v.y;
        me.z += dt * v.z;
        newVel[i] = v;
        newPos[i] = me;
    }
}

void nbody_step(const float4 *position, const float4 *velocity, float4 *next_position,
                float4 *next_velocity, float dt, float softening, int n)
{
    if (n == 0)
        return;
    dim3 threads(BODIES, PARTS);
    int blocks = (n + BODIES - 1) / BODIES;
    stepKernel<<<blocks, threads>>>(position, velocity, next_position, next_velocity, dt,
                                    softening * softening, n);
}
