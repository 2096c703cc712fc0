// CAUSE: The softening is added to the squared distance as it is, but the formula adds its square.
// LINES: 43
// REPAIR: line 43: `softening;` -> `softening * softening;`
// SYMPTOM: All accelerations are wrong unless the softening happens to be 1.

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
            float square = dx * dx + dy * dy + dz * dz + softening;
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
        v.x = v.x + dt * ax;
        v.y = v.y + dt * ay;
        v.z = v.z + dt * az;
        p.x = p.x + dt * v.x;
        p.y = p.y + dt * v.y;
        p.z = p.z + dt * v.z;
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
