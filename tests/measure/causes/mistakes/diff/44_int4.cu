// CAUSE: The last n % 4 elements begin at 4 * quads, but the kernel takes quads, the number of groups of four, as their first index.
// LINES: 30
// REPAIR: line 30: `const int i = quads + q;` -> `const int i = 4 * quads + q;`
// SYMPTOM: If n is no multiple of 4 (and n > 3), the last one to three elements of `out` are not written; others are stored twice.
#include <cstdint>

#include "diff.h"

namespace {

constexpr int block = 256;

// Four elements per thread. Three have their left neighbor in the same thread, and the first has it
// in the lane below.
__global__ void diff_by_four(const int* in, int* out, int n) {
  const int q = blockIdx.x * block + threadIdx.x;
  const int quads = n / 4;
  const int lane = threadIdx.x % 32;

  int4 v = make_int4(0, 0, 0, 0);
  if (q < quads) v = reinterpret_cast<const int4*>(in)[q];
  int left = __shfl_up_sync(0xffffffffu, v.w, 1);
  if (q < quads) {
    if (lane == 0) left = q > 0 ? in[4 * q - 1] : 0;
    reinterpret_cast<int4*>(out)[q] = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
  }

  // what is left over
  if (q < n % 4) {
    const int i = quads + q;
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
  }
}

// For arrays that do not begin at 16 bytes.
__global__ void diff_by_one(const int* in, int* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  if (aligned(in) && aligned(out)) {
    const int quads = n / 4 + 1;
    diff_by_four<<<(quads + block - 1) / block, block>>>(in, out, n);
  } else {
    diff_by_one<<<(n + block - 1) / block, block>>>(in, out, n);
  }
}
