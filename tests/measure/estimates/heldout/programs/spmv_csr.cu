#include "timed.h"

extern "C" __global__ void spmv_csr_kernel(const int* offsets, const int* columns,
                                           const float* values, const float* x, float* y,
                                           int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; i++) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

int main() {
  const int rows = 1 << 18;
  Random random{1};
  std::vector<int> offsets(rows + 1), columns;
  std::vector<float> values, x(rows);
  for (int r = 0; r < rows; r++) {
    // One row in a hundred is long: its warp waits for it.
    const int length = random.below(100) == 0 ? 200 + random.below(200) : 4 + random.below(28);
    for (int i = 0; i < length; i++) {
      columns.push_back(random.below(rows));
      values.push_back(random.unit());
    }
    offsets[r + 1] = int(columns.size());
    x[r] = random.unit();
  }
  int* d_offsets = upload(offsets);
  int* d_columns = upload(columns);
  float* d_values = upload(values);
  float* d_x = upload(x);
  float* d_y = allocate<float>(rows);
  const Shape shape{blocks_for(rows, 256), 256};
  const auto times = measure([] {},
                             [&] {
                               spmv_csr_kernel<<<shape.grid, shape.block>>>(
                                   d_offsets, d_columns, d_values, d_x, d_y, rows);
                             });
  const auto y = download(d_y, rows);
  for (int r : {0, 12345, rows - 1}) {
    double sum = 0;
    for (int i = offsets[r]; i < offsets[r + 1]; i++) sum += values[i] * x[columns[i]];
    expect(near(y[r], sum, 1e-4));
  }
  report("spmv_csr", "spmv_csr_kernel", shape, times, checksum(y));
}
