#include "timed.h"

constexpr int width = 128;

// A bag per warp: the sum of its rows of the table. A lane holds four columns.
extern "C" __global__ void embedding_bag_kernel(const float4* table, const int* rows,
                                                const int* offsets, float4* sums, int bags) {
  const int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (bag >= bags) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int i = offsets[bag]; i < offsets[bag + 1]; i++) {
    const float4 row = table[size_t(rows[i]) * (width / 4) + lane];
    sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
  }
  sums[bag * (width / 4) + lane] = sum;
}

int main() {
  const int table_rows = 400000, bags = 20000;
  Random random{51};
  std::vector<float> table(size_t(table_rows) * width);
  for (auto& value : table) value = random.unit();
  std::vector<int> offsets(bags + 1), rows;
  for (int b = 0; b < bags; b++) {
    const int length = 1 + random.below(60);
    for (int i = 0; i < length; i++) {
      const float u = random.unit();  // some rows are popular
      rows.push_back(int(table_rows * u * u));
    }
    offsets[b + 1] = int(rows.size());
  }
  float* d_table = upload(table);
  int* d_rows = upload(rows);
  int* d_offsets = upload(offsets);
  float* d_sums = allocate<float>(size_t(bags) * width);
  const Shape shape{blocks_for(size_t(bags) * 32, 256), 256};
  const auto times = measure([] {},
                             [&] {
                               embedding_bag_kernel<<<shape.grid, shape.block>>>(
                                   reinterpret_cast<const float4*>(d_table), d_rows, d_offsets,
                                   reinterpret_cast<float4*>(d_sums), bags);
                             });
  const auto sums = download(d_sums, size_t(bags) * width);
  for (int b = 0; b < bags; b += 101) {
    for (int c = 0; c < width; c += 5) {
      double sum = 0;
      for (int i = offsets[b]; i < offsets[b + 1]; i++) sum += table[size_t(rows[i]) * width + c];
      expect(near(sums[size_t(b) * width + c], sum, 1e-4));
    }
  }
  report("embedding_bag", "embedding_bag_kernel", shape, times, checksum(sums));
}
