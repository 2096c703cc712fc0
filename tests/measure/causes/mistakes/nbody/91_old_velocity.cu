// CAUSE: The position moves with the old velocity. Symplectic Euler uses the new one, which has just been computed.
// LINES: 60
// REPAIR: line 60: `next_position[i] = make_float4(me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.w);` -> `next_position[i] = make_float4(me.x + dt * w.x, me.y + dt * w.y, me.z + dt * w.z, me.w);`
// SYMPTOM: The velocities are right, but every position lacks dt * dt times the acceleration.

#include "nbody.h"

#define BLOCK_SIZE 256

__global__ void moveBodies(const float4* position, const float4* velocity, float4* next_position,
                           float4* next_velocity, float dt, float softening, int n)
{
    __shared__ float4 tile[BLOCK_SIZE];

    int tx = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tx;

    float4 me = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i < n)
    {
        me = position[i];
    }

    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;

    for (int first = 0; first < n; first += BLOCK_SIZE)
    {
        if (first + tx < n)
        {
            tile[tx] = position[first + tx];
        }
        else
        {
            tile[tx] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        __syncthreads();

        for (int j = 0; j < BLOCK_SIZE; j++)
        {
            float rx = tile[j].x - me.x;
            float ry = tile[j].y - me.y;
            float rz = tile[j].z - me.z;
            float square = rx * rx + ry * ry + rz * rz + softening * softening;
            float inverse = rsqrtf(square);
            float factor = tile[j].w * inverse * inverse * inverse;
            ax += factor * rx;
            ay += factor * ry;
            az += factor * rz;
        }
        __syncthreads();
    }

    if (i < n)
    {
        float4 v = velocity[i];
        float4 w = make_float4(v.x + dt * ax, v.y + dt * ay, v.z + dt * az, v.w);
        next_velocity[i] = w;
        next_position[i] = make_float4(me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.w);
    }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n)
{
    if (n > 0)
    {
        int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
        moveBodies<<<blocks, BLOCK_SIZE>>>(position, velocity, next_position, next_velocity, dt,
                                           softening, n);
    }
}
