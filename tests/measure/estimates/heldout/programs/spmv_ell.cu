#include "timed.h"

extern "C" __global__ void spmv_ell_kernel(const int* columns, const float* values, const float* x,
                                           float* y, int rows, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < width; i++) {
    const int column = columns[i * rows + row];
    if (column >= 0) sum += values[i * rows + row] * x[column];
  }
  y[row] = sum;
}

int main() {
  const int rows = 1 << 19, width = 24;
  Random random{2};
  std::vector<int> columns(size_t(rows) * width, -1);
  std::vector<float> values(columns.size()), x(rows);
  for (int r = 0; r < rows; r++) {
    const int length = 12 + random.below(13);
    for (int i = 0; i < length; i++) {
      // A band, with every fourth entry anywhere.
      const int near_by = r + int(random.below(512)) - 256;
      columns[size_t(i) * rows + r] =
          i % 4 == 3 ? int(random.below(rows)) : std::clamp(near_by, 0, rows - 1);
      values[size_t(i) * rows + r] = random.unit();
    }
    x[r] = random.unit();
  }
  int* d_columns = upload(columns);
  float* d_values = upload(values);
  float* d_x = upload(x);
  float* d_y = allocate<float>(rows);
  const Shape shape{blocks_for(rows, 128), 128};
  const auto times = measure([] {},
                             [&] {
                               spmv_ell_kernel<<<shape.grid, shape.block>>>(d_columns, d_values,
                                                                            d_x, d_y, rows, width);
                             });
  const auto y = download(d_y, rows);
  for (int r : {0, 54321, rows - 1}) {
    double sum = 0;
    for (int i = 0; i < width; i++) {
      const int column = columns[size_t(i) * rows + r];
      if (column >= 0) sum += values[size_t(i) * rows + r] * x[column];
    }
    expect(near(y[r], sum, 1e-4));
  }
  report("spmv_ell", "spmv_ell_kernel", shape, times, checksum(y));
}
