// Global functions and variables, some with names that only look like those of others.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <algorithm>
#include <functional>
#include <vector>

#include "diff.h"

#define __DIFF_CU__

int calls = 0;
int copied_bytes(int n) { return 4 * n; }
__device__ int device_sum;
__constant__ int offsets[4];
const char* const names[] = {"asm", "__tsan_read4", "#pragma GCC optimize"};

struct Shape {
  virtual ~Shape() = default;
  virtual int blocks(int n) const { return (n + 255) / 256; }
};
struct Row : Shape {
  int blocks(int n) const override { return std::max(1, Shape::blocks(n)); }
};

__device__ int __difference(int own, int left) { return own - left; }
void* my_malloc(size_t bytes) { return malloc(bytes); }
int memcpy_count(const int* a) { return a[0]; }

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i >= n) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = __difference(tile[threadIdx.x], left) + offsets[0];
}

void diff(const int* in, int* out, int n) {
  const Row row;
  std::vector<int> sizes(3, n);
  std::sort(sizes.begin(), sizes.end());
  const std::function<int(int)> blocks = [&](int size) { return row.blocks(size); };
  calls += names[0] != nullptr && copied_bytes(n) >= 0;
  free(my_malloc(8));
  if (n > 0) diff_kernel<<<blocks(sizes[1]), 256>>>(in, out, n);
}
