// CAUSE: The shuffle takes the value of the fourth lane below. The distance counts lanes, not elements: the left neighbor of a thread's four elements is the last one of the lane directly below.
// LINES: 26
// REPAIR: line 26: `int left = __shfl_up_sync(0xffffffff, v.w, 4);` -> `int left = __shfl_up_sync(0xffffffff, v.w, 1);`
// SYMPTOM: Every fourth difference is wrong.

#include "diff.h"

namespace {

constexpr int threads = 256;

__global__ void diff_quads(const int* in, int* out, int n) {
  const int quad = blockIdx.x * threads + threadIdx.x;
  const int i = 4 * quad;
  const int lane = threadIdx.x % 32;

  int4 v = make_int4(0, 0, 0, 0);
  if (i + 3 < n) {
    v = *reinterpret_cast<const int4*>(in + i);
  } else {
    if (i < n) v.x = in[i];
    if (i + 1 < n) v.y = in[i + 1];
    if (i + 2 < n) v.z = in[i + 2];
  }

  int left = __shfl_up_sync(0xffffffff, v.w, 4);
  if (lane == 0) left = 0 < i && i < n ? in[i - 1] : 0;

  const int4 d = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
  if (i + 3 < n) {
    *reinterpret_cast<int4*>(out + i) = d;
    return;
  }
  if (i < n) out[i] = d.x;
  if (i + 1 < n) out[i + 1] = d.y;
  if (i + 2 < n) out[i + 2] = d.z;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int quads = n / 4 + (n % 4 != 0);
  if (quads == 0) return;
  diff_quads<<<(quads + threads - 1) / threads, threads>>>(in, out, n);
}
