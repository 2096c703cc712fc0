// CAUSE: Only thread 0 of the block takes its left neighbor from global memory, but a shuffle does not cross warps: lane 0 of each other warp gets back its own last element.
// LINES: 20
// REPAIR: line 20: `threadIdx.x == 0` -> `threadIdx.x % 32 == 0`
// GOOD HINT: From which thread does thread 32 get its left neighbor? Between which threads can a shuffle pass something on?
// SYMPTOM: Wrong results at each first element of a warp other than the first of its block, that is out[128], out[256] and so on, but not at multiples of 1024; rows of up to 128 elements are right.

#include "diff.h"

namespace {

constexpr int block = 256;

// four elements per thread
__global__ void diff_kernel(const int4* in, int4* out, int groups) {
  const int g = blockIdx.x * block + threadIdx.x;
  int4 v = make_int4(0, 0, 0, 0);
  if (g < groups) v = in[g];

  int left = __shfl_up_sync(0xffffffff, v.w, 1);
  if (threadIdx.x == 0) {
    left = 0;
    if (g > 0 && g < groups) left = in[g - 1].w;
  }

  if (g < groups) out[g] = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
}

// one element per thread, for the rest
__global__ void rest_kernel(const int* in, int* out, int first, int n) {
  const int k = blockIdx.x * block + threadIdx.x;
  if (k < n - first) {
    const int i = first + k;
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
  }
}

bool aligned(const void* p) { return reinterpret_cast<size_t>(p) % 16 == 0; }

}  // namespace

void diff(const int* in, int* out, int n) {
  int groups = 0;
  if (aligned(in) && aligned(out)) groups = n / 4;
  const int rest = n - 4 * groups;
  if (groups > 0) {
    diff_kernel<<<(groups + block - 1) / block, block>>>(reinterpret_cast<const int4*>(in),
                                                         reinterpret_cast<int4*>(out), groups);
  }
  if (rest > 0) rest_kernel<<<(rest + block - 1) / block, block>>>(in, out, 4 * groups, n);
}
