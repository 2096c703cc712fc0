// CAUSE: The grid is rounded up to the number of whole quads, but the last n mod 4 elements are the work of one more thread, with q == quads. That thread is missing when the number of quads is a multiple of the block size (also when it is 0).
// LINES: 50
// REPAIR: line 50: `const int blocks = (quads + threads - 1) / threads;` -> `const int blocks = quads / threads + 1;`
// SYMPTOM: For n = 1, 2, 3 the launch has 0 blocks and fails; for n = 1025 to 1027 and so on the last 1 to 3 elements are not written.

#include <cstdint>

#include "diff.h"

namespace {

constexpr int threads = 256;

bool aligned16(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

// Thread q has elements 4q to 4q + 3. The thread after the last whole quad takes what remains.
__global__ void diff4(const int* in, int* out, int n, int quads) {
  const int q = blockIdx.x * threads + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const int4* in4 = reinterpret_cast<const int4*>(in);
  int4* out4 = reinterpret_cast<int4*>(out);

  int4 v = make_int4(0, 0, 0, 0);
  if (q < quads) v = in4[q];
  int left = __shfl_up_sync(0xffffffff, v.w, 1);
  if (lane == 0) left = (q > 0 && q <= quads) ? in[4 * q - 1] : 0;

  if (q < quads) {
    out4[q] = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
  } else if (q == quads) {
    for (int i = 4 * quads; i < n; ++i) {
      const int value = in[i];
      out[i] = value - left;
      left = value;
    }
  }
}

__global__ void diff1(const int* in, int* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) out[i] = in[i] - (i > 0 ? in[i - 1] : 0);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  if (aligned16(in) && aligned16(out)) {
    const int quads = n / 4;
    const int blocks = (quads + threads - 1) / threads;
    diff4<<<blocks, threads>>>(in, out, n, quads);
  } else {
    const int blocks = (n + threads - 1) / threads;
    diff1<<<blocks, threads>>>(in, out, n);
  }
}
