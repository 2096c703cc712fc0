#include "timed.h"

constexpr int kept = 24;

// Each thread keeps the greatest values of its column in a heap in local memory.
extern "C" __global__ void topk_heap_kernel(const int* values, int* smallest, int* sums,
                                            int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  int heap[kept];  // the smallest value is on top
  for (int i = 0; i < kept; i++) heap[i] = INT32_MIN;
  for (int row = 0; row < rows; row++) {
    const int value = values[row * columns + column];
    if (value <= heap[0]) continue;
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= kept) break;
      if (child + 1 < kept && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= value) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = value;
  }
  smallest[column] = heap[0];
  int sum = 0;
  for (int i = 0; i < kept; i++) sum += heap[i];
  sums[column] = sum;
}

int main() {
  const int columns = 1 << 15, rows = 400;
  Random random{50};
  std::vector<int> values(columns * rows);
  for (int& value : values) value = int(random.below(1000000));
  int* d_values = upload(values);
  int* d_smallest = allocate<int>(columns);
  int* d_sums = allocate<int>(columns);
  const Shape shape{columns / 64, 64};
  const auto times = measure([] {},
                             [&] {
                               topk_heap_kernel<<<shape.grid, shape.block>>>(d_values, d_smallest,
                                                                             d_sums, columns, rows);
                             });
  const auto smallest = download(d_smallest, columns);
  const auto sums = download(d_sums, columns);
  for (int c = 0; c < columns; c += 101) {
    std::vector<int> column;
    for (int row = 0; row < rows; row++) column.push_back(values[row * columns + c]);
    std::sort(column.rbegin(), column.rend());
    expect(smallest[c] == column[kept - 1] &&
           sums[c] == std::accumulate(column.begin(), column.begin() + kept, 0));
  }
  report("topk_heap", "topk_heap_kernel", shape, times, checksum(sums));
}
