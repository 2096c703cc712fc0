// CAUSE: Two mistakes: the shuffle is inside `if (g < groups)`, so in the last warp not all of the lanes that its mask names take part; and the kernel for the rest is told to begin at element `groups`, though it is element 4 * groups.
// LINES: 19, after 20, 49
// REPAIR: delete line 19, `left = __shfl_up_sync(0xffffffff, v.w, 1);`; insert `  left = __shfl_up_sync(0xffffffff, v.w, 1);` after line 20; line 49: `in, out, groups, n` -> `in, out, 4 * groups, n`
// GOOD HINT: First: your mask names 32 lanes. Which of them come to the shuffle if there are 40 groups? Then: how many elements are done when `groups` groups are done?
// SYMPTOM: Undefined shuffle in the last warp if groups is no multiple of 32 (hang, report, or luck); the last n % 4 elements are not written once 3 * groups is 256 or more (for small n the surplus threads may reach them).

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int4* in, int4* out, int groups) {
  const int g = blockIdx.x * block + threadIdx.x;
  int4 v = make_int4(0, 0, 0, 0);
  int left = 0;
  if (g < groups) {
    v = in[g];
    left = __shfl_up_sync(0xffffffff, v.w, 1);
  }
  if (g < groups) {
    if (threadIdx.x % 32 == 0) left = g > 0 ? in[g - 1].w : 0;
    out[g] = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
  }
}

__global__ void rest_kernel(const int* in, int* out, int first, int n) {
  const int k = blockIdx.x * block + threadIdx.x;
  if (k < n - first) {
    const int i = first + k;
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
  }
}

int blocks_for(int threads) { return (threads + block - 1) / block; }

bool is_aligned(const void* p) { return reinterpret_cast<size_t>(p) % sizeof(int4) == 0; }

}  // namespace

void diff(const int* in, int* out, int n) {
  int groups = n / 4;
  if (!is_aligned(in) || !is_aligned(out)) groups = 0;
  if (groups > 0) {
    diff_kernel<<<blocks_for(groups), block>>>(reinterpret_cast<const int4*>(in),
                                               reinterpret_cast<int4*>(out), groups);
  }
  const int rest = n - 4 * groups;
  if (rest > 0) rest_kernel<<<blocks_for(rest), block>>>(in, out, groups, n);
}
