// Four elements per thread in one load. A thread needs one value from the thread before it: that is
// what goes through shared memory.

#include "diff.h"

constexpr int kThreads = 256;

__global__ void diffVector(const int4* in, int4* out, int count) {
  __shared__ int last[kThreads];
  int t = threadIdx.x;
  int v = blockIdx.x * kThreads + t;
  int4 mine = make_int4(0, 0, 0, 0);
  if (v < count) mine = in[v];
  last[t] = mine.w;
  __syncthreads();
  if (v >= count) return;
  int before = 0;
  if (t > 0) {
    before = last[t - 1];
  } else if (v > 0) {
    before = in[v - 1].w;
  }
  out[v] = make_int4(mine.x - before, mine.y - mine.x, mine.z - mine.y, mine.w - mine.z);
}

// The classic tile with one element per thread, for what is left over.
__global__ void diffTile(const int* in, int* out, int begin, int n) {
  __shared__ int tile[kThreads];
  int t = threadIdx.x;
  int i = begin + blockIdx.x * kThreads + t;
  if (i < n) tile[t] = in[i];
  __syncthreads();
  if (i >= n) return;
  if (i == 0) {
    out[0] = tile[0];
  } else {
    out[i] = tile[t] - (t > 0 ? tile[t - 1] : in[i - 1]);
  }
}

void diff(const int* in, int* out, int n) {
  bool aligned = ((size_t)in | (size_t)out) % sizeof(int4) == 0;
  int vectors = aligned ? n / 4 : 0;
  int begin = vectors * 4;
  if (vectors > 0) {
    diffVector<<<(vectors + kThreads - 1) / kThreads, kThreads>>>((const int4*)in, (int4*)out,
                                                                   vectors);
  }
  if (begin < n) {
    diffTile<<<(n - begin + kThreads - 1) / kThreads, kThreads>>>(in, out, begin, n);
  }
}
