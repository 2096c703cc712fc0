// CAUSE: The position is moved before the velocity is updated, so it moves with the old velocity instead of the new one.
// LINES: 44, 45
// REPAIR: line 44: `p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;` -> `v.x += dt * ax, v.y += dt * ay, v.z += dt * az;`; line 45: `v.x += dt * ax, v.y += dt * ay, v.z += dt * az;` -> `p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;`
// SYMPTOM: Velocities are right; positions differ by dt * dt * a (bodies at rest do not move at all in the first step).
#include "nbody.h"

#define BLOCK 256

__global__ void stepKernel(const float4 *pos, const float4 *vel, float4 *newPos, float4 *newVel,
                           float dt, float softening, int n)
{
    __shared__ float4 shared[BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK + tid;

    float4 me = make_float4(0, 0, 0, 0);
    if (i < n)
        me = pos[i];

    float ax = 0, ay = 0, az = 0;
    for (int base = 0; base < n; base += BLOCK) {
        if (base + tid < n)
            shared[tid] = pos[base + tid];
        else
            shared[tid] = make_float4(0, 0, 0, 0);
        __syncthreads();

        for (int j = 0; j < BLOCK; j++) {
            float rx = shared[j].x - me.x;
            float ry = shared[j].y - me.y;
            float rz = shared[j].z - me.z;
            float d2 = rx * rx + ry * ry + rz * rz + softening * softening;
            float inv = 1.0f / sqrtf(d2);
            float s = shared[j].w * inv * inv * inv;
            ax += s * rx;
            ay += s * ry;
            az += s * rz;
        }
        __syncthreads();
    }

    if (i < n) {
        float4 p = me, v = vel[i];
        p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
        v.x += dt * ax, v.y += dt * ay, v.z += dt * az;
        newPos[i] = p;
        newVel[i] = v;
    }
}

void nbody_step(const float4 *position, const float4 *velocity, float4 *next_position,
                float4 *next_velocity, float dt, float softening, int n)
{
    if (n == 0)
        return;
    stepKernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(position, velocity, next_position,
                                                   next_velocity, dt, softening, n);
}
