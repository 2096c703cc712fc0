// CAUSE: The number of blocks is meant to be n / T, plus 1 for a remainder. `?:` binds weaker than `+`, so it is 1 for every n.
// LINES: 38
// REPAIR: line 38: `int blocks = n / T + n % T ? 1 : 0;` -> `int blocks = n / T + (n % T ? 1 : 0);`
// SYMPTOM: Only the first 256 elements of out are written.

#include "diff.h"

#define T 256

// An element with the one to its left.
struct Pair {
  int left;
  int own;
  __device__ int difference() const { return own - left; }
};

__global__ void adjacent(const int *in, int *out, int n)
{
    __shared__ int cache[T + 1];
    int gid = blockIdx.x * T + threadIdx.x;

    if (gid < n)
        cache[threadIdx.x + 1] = in[gid];
    if (threadIdx.x == 0)
        cache[0] = gid == 0 ? 0 : in[gid - 1];
    __syncthreads();

    if (gid < n) {
        Pair p = {cache[threadIdx.x], cache[threadIdx.x + 1]};
        out[gid] = p.difference();
    }
}

void diff(const int *in, int *out, int n)
{
    if (n == 0)
        return;
    int blocks = n / T + n % T ? 1 : 0;
    adjacent<<<blocks, T>>>(in, out, n);
}
