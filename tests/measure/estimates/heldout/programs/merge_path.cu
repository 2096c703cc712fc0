#include "timed.h"

constexpr int per_thread = 16;

extern "C" __global__ void merge_path_kernel(const int* a, int a_size, const int* b, int b_size,
                                             int* out) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  if (diagonal >= a_size + b_size) return;
  int low = max(0, diagonal - b_size), high = min(diagonal, a_size);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low, j = diagonal - low;
  const int end = min(diagonal + per_thread, a_size + b_size);
  for (int k = diagonal; k < end; k++) {
    const bool from_a = j >= b_size || (i < a_size && a[i] <= b[j]);
    out[k] = from_a ? a[i++] : b[j++];
  }
}

int main() {
  const int a_size = 5 << 20, b_size = 3 << 20;
  Random random{8};
  std::vector<int> a(a_size), b(b_size);
  int value = 0;
  for (int& element : a) element = value += random.below(100);
  value = 0;
  for (int& element : b) element = value += random.below(160);
  int* d_a = upload(a);
  int* d_b = upload(b);
  int* d_out = allocate<int>(a_size + b_size);
  const Shape shape{blocks_for((a_size + b_size) / per_thread, 256), 256};
  const auto times = measure(
      [] {},
      [&] { merge_path_kernel<<<shape.grid, shape.block>>>(d_a, a_size, d_b, b_size, d_out); });
  const auto out = download(d_out, a_size + b_size);
  std::vector<int> wanted(out.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
  expect(out == wanted);
  report("merge_path", "merge_path_kernel", shape, times, checksum(out));
}
