// CAUSE: The arrays are read and written as int4 without a look at their addresses, but the contract does not promise that they are aligned to 16 bytes, and a 16-byte access needs that.
// LINES: 48
// REPAIR: line 48: `n / 4` -> `reinterpret_cast<size_t>(in) % 16 == 0 && reinterpret_cast<size_t>(out) % 16 == 0 ? n / 4 : 0`
// GOOD HINT: What does a load of 16 bytes demand of the address? Does diff.h promise that?
// SYMPTOM: Right for aligned arrays. If in or out does not begin at a multiple of 16 bytes and n >= 4: misaligned address, the kernel crashes.

// Lab `diff`: four elements per thread, no tile

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr unsigned everyone = 0xffffffffu;

__global__ void diff_kernel(const int* in, int* out, int quads) {
  const int q = blockIdx.x * block + threadIdx.x;
  const bool has_quad = q < quads;

  int4 mine = make_int4(0, 0, 0, 0);
  if (has_quad) mine = reinterpret_cast<const int4*>(in)[q];

  // the last element of the lane below
  int left = __shfl_up_sync(everyone, mine.w, 1);
  if (threadIdx.x % 32 == 0) left = has_quad && q > 0 ? in[4 * q - 1] : 0;

  if (has_quad) {
    int4 d;
    d.x = mine.x - left;
    d.y = mine.y - mine.x;
    d.z = mine.z - mine.y;
    d.w = mine.w - mine.z;
    reinterpret_cast<int4*>(out)[q] = d;
  }
}

// elements from `first` on, one per thread
__global__ void tail_kernel(const int* in, int* out, int first, int n) {
  const int t = blockIdx.x * block + threadIdx.x;
  if (t >= n - first) return;
  const int i = first + t;
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int quads = n / 4;
  const int tail = n - 4 * quads;
  if (quads > 0) diff_kernel<<<(quads + block - 1) / block, block>>>(in, out, quads);
  if (tail > 0) tail_kernel<<<(tail + block - 1) / block, block>>>(in, out, 4 * quads, n);
}
