#include "timed.h"

constexpr int capacity = 4095, items = 96;

// A knapsack per block: the table's rows in dynamic shared memory, a barrier after each item.
extern "C" __global__ void knapsack_kernel(const int2* all_items, int* values) {
  extern __shared__ int rows[];
  const int2* own_items = all_items + blockIdx.x * items;
  int* last = rows;
  int* next = rows + capacity + 1;
  for (int c = threadIdx.x; c <= capacity; c += blockDim.x) last[c] = 0;
  __syncthreads();
  for (int i = 0; i < items; i++) {
    const int2 item = own_items[i];  // x weighs it, y is its value
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x) {
      const int without = last[c];
      next[c] = c >= item.x ? max(without, last[c - item.x] + item.y) : without;
    }
    __syncthreads();
    int* swapped = last;
    last = next;
    next = swapped;
  }
  if (threadIdx.x == 0) values[blockIdx.x] = last[capacity];
}

int main() {
  const int blocks = 800;
  Random random{54};
  std::vector<int2> all_items(blocks * items);
  for (auto& item : all_items) item = make_int2(10 + random.below(300), 1 + random.below(500));
  int2* d_items = upload(all_items);
  int* d_values = allocate<int>(blocks);
  const Shape shape{blocks, 512, 2 * (capacity + 1) * sizeof(int)};
  const auto times = measure(
      [] {},
      [&] { knapsack_kernel<<<shape.grid, shape.block, shape.shared>>>(d_items, d_values); });
  const auto values = download(d_values, blocks);
  for (int b = 0; b < blocks; b += 23) {
    std::vector<int> row(capacity + 1);
    for (int i = 0; i < items; i++) {
      const int2 item = all_items[b * items + i];
      for (int c = capacity; c >= item.x; c--) row[c] = std::max(row[c], row[c - item.x] + item.y);
    }
    expect(values[b] == row[capacity]);
  }
  report("knapsack", "knapsack_kernel", shape, times, checksum(values));
}
