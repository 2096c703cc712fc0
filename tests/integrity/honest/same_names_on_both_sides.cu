// Host and device code share names: overloads, local lambdas and parameters. All of it is CUDA
// C++.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"

namespace {

int left(int i) { return i - 1; }
__device__ int left(unsigned i) { return static_cast<int>(i) - 1; }

int n = 0;
int blocks(int count) { return (count + 255) / 256; }

__host__ __device__ constexpr int first() { return 0; }

struct Row {
  const int* values;
  __device__ int operator[](int i) const { return values[i]; }
  __device__ int before(int i) const { return i > first() ? values[left(unsigned(i))] : 0; }
};

template <class Body>
__device__ void for_own_element(int n, Body body) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) body(i);
}

__global__ void kernel(Row row, int* out, int n) {
  auto blocks = [&](int i) { return row[i] - row.before(i); };
  for_own_element(n, [&](int i) { out[i] = blocks(i); });
}

template <class Kernel>
void start(Kernel kernel, const int* in, int* out) {
  if (n > 0) kernel<<<blocks(n), 256>>>(Row{in}, out, n);
}

}  // namespace

void diff(const int* in, int* out, int length) {
  n = left(length + 1);
  start(kernel, in, out);
}
