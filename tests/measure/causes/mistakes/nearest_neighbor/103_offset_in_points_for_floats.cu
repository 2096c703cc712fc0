// CAUSE: The tile is loaded float by float. Its first float is number 3 * first, but the offset is given in points.
// LINES: 32
// REPAIR: line 32: `coords[w] = raw[first + w];` -> `coords[w] = raw[3 * first + w];`
// SYMPTOM: Wrong for all n above the size of a tile.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int B = 128;

__global__ void nn(const float3 *points, int *nearest, int n)
{
    __shared__ float coords[3 * B];
    const float *raw = (const float *)points;
    const int i = blockIdx.x * B + threadIdx.x;

    float px = 0, py = 0, pz = 0;
    if (i < n) {
        px = raw[3 * i];
        py = raw[3 * i + 1];
        pz = raw[3 * i + 2];
    }

    float least = FLT_MAX;
    int found = -1;
    for (int first = 0; first < n; first += B) {
        const int count = n - first < B ? n - first : B;
        for (int w = threadIdx.x; w < 3 * count; w += B)
            coords[w] = raw[first + w];
        __syncthreads();

        for (int k = 0; k < count; k++) {
            if (first + k == i)
                continue;
            const float dx = coords[3 * k] - px;
            const float dy = coords[3 * k + 1] - py;
            const float dz = coords[3 * k + 2] - pz;
            const float dist = dx * dx + dy * dy + dz * dz;
            if (dist < least) {
                least = dist;
                found = first + k;
            }
        }
        __syncthreads();
    }
    if (i < n)
        nearest[i] = found;
}

}  // namespace

void nearest_neighbor(const float3 *points, int *nearest, int n)
{
    if (n > 0)
        nn<<<(n + B - 1) / B, B>>>(points, nearest, n);
}
