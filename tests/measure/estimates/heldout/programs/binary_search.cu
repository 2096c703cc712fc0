#include "timed.h"

extern "C" __global__ void binary_search_kernel(const int* sorted, int size, const int* queries,
                                                int count, int* positions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int query = queries[i];
  int low = 0, high = size;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sorted[middle] < query) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  positions[i] = low;
}

int main() {
  const int size = 1 << 24, count = 1 << 20;
  Random random{7};
  std::vector<int> sorted(size), queries(count);
  int value = 0;
  for (int& element : sorted) element = value += random.below(100);
  for (int& query : queries) query = random.below(value);
  int* d_sorted = upload(sorted);
  int* d_queries = upload(queries);
  int* d_positions = allocate<int>(count);
  const Shape shape{blocks_for(count, 128), 128};
  const auto times = measure([] {},
                             [&] {
                               binary_search_kernel<<<shape.grid, shape.block>>>(
                                   d_sorted, size, d_queries, count, d_positions);
                             });
  const auto positions = download(d_positions, count);
  for (int i = 0; i < count; i += 997) {
    expect(positions[i] ==
           std::lower_bound(sorted.begin(), sorted.end(), queries[i]) - sorted.begin());
  }
  report("binary_search", "binary_search_kernel", shape, times, checksum(positions));
}
