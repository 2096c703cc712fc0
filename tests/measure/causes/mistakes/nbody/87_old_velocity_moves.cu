// CAUSE: The position is moved before the velocity has got its share of the acceleration, so it moves with the old velocity instead of the new one.
// LINES: 56 57 58 62
// REPAIR: delete line 56: `p.x = p.x + dt * v.x;`; delete line 57: `p.y = p.y + dt * v.y;`; delete line 58: `p.z = p.z + dt * v.z;`; before line 62: add `p.x = p.x + dt * v.x;`; before line 62: add `p.y = p.y + dt * v.y;`; before line 62: add `p.z = p.z + dt * v.z;`
// SYMPTOM: next_velocity is right, next_position is off by dt * dt * a.

#include "nbody.h"

#define BLOCK 256

__global__ void moveBodies(const float4* position, const float4* velocity, float4* next_position,
                           float4* next_velocity, float dt, float softening, int n)
{
    __shared__ float4 bodies[BLOCK];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float4 p = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i < n)
    {
        p = position[i];
    }
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;

    for (int start = 0; start < n; start += BLOCK)
    {
        if (start + t < n)
        {
            bodies[t] = position[start + t];
        }
        else
        {
            bodies[t] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        __syncthreads();

        for (int j = 0; j < BLOCK; j++)
        {
            float dx = bodies[j].x - p.x;
            float dy = bodies[j].y - p.y;
            float dz = bodies[j].z - p.z;
            float square = dx * dx + dy * dy + dz * dz + softening * softening;
            float inverse = rsqrtf(square);
            float pull = bodies[j].w * inverse * inverse * inverse;
            ax = ax + pull * dx;
            ay = ay + pull * dy;
            az = az + pull * dz;
        }
        __syncthreads();
    }

    if (i < n)
    {
        float4 v = velocity[i];
        p.x = p.x + dt * v.x;
        p.y = p.y + dt * v.y;
        p.z = p.z + dt * v.z;
        v.x = v.x + dt * ax;
        v.y = v.y + dt * ay;
        v.z = v.z + dt * az;
        next_velocity[i] = v;
        next_position[i] = p;
    }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n)
{
    if (n == 0)
    {
        return;
    }
    int blocks = (n + BLOCK - 1) / BLOCK;
    moveBodies<<<blocks, BLOCK>>>(position, velocity, next_position, next_velocity, dt, softening,
                                  n);
}
