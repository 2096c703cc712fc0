#include "timed.h"

extern "C" __global__ void permute_scatter_kernel(const float* in, const int* targets, float* out,
                                                  int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[targets[i]] = in[i];
}

int main() {
  const int count = 12000000;
  Random random{30};
  std::vector<int> targets(count);
  std::iota(targets.begin(), targets.end(), 0);
  for (int i = count - 1; i > 0; i--) std::swap(targets[i], targets[random.below(i + 1)]);
  std::vector<float> in(count);
  for (auto& value : in) value = random.unit();
  float* d_in = upload(in);
  int* d_targets = upload(targets);
  float* d_out = allocate<float>(count);
  const Shape shape{blocks_for(count, 256), 256};
  const auto times = measure(
      [] {},
      [&] { permute_scatter_kernel<<<shape.grid, shape.block>>>(d_in, d_targets, d_out, count); });
  const auto out = download(d_out, count);
  for (int i = 0; i < count; i++) expect(out[targets[i]] == in[i]);
  report("permute_scatter", "permute_scatter_kernel", shape, times, checksum(out));
}
