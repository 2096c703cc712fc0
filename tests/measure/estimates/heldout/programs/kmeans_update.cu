#include "timed.h"

constexpr int clusters = 40, dims = 4;

extern "C" __global__ void kmeans_update_kernel(const float4* points, const uint8_t* labels,
                                                int count, float* sums, unsigned* members) {
  __shared__ float local_sums[clusters * dims];
  __shared__ unsigned local_members[clusters];
  for (int i = threadIdx.x; i < clusters * dims; i += blockDim.x) local_sums[i] = 0;
  for (int i = threadIdx.x; i < clusters; i += blockDim.x) local_members[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const float4 point = points[i];
    const int label = labels[i];
    atomicAdd(&local_sums[label * dims + 0], point.x);
    atomicAdd(&local_sums[label * dims + 1], point.y);
    atomicAdd(&local_sums[label * dims + 2], point.z);
    atomicAdd(&local_sums[label * dims + 3], point.w);
    atomicAdd(&local_members[label], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < clusters * dims; i += blockDim.x) {
    atomicAdd(&sums[i], local_sums[i]);
  }
  for (int i = threadIdx.x; i < clusters; i += blockDim.x) {
    atomicAdd(&members[i], local_members[i]);
  }
}

int main() {
  const int count = 1 << 20;
  Random random{18};
  std::vector<float4> points(count);
  std::vector<uint8_t> labels(count);
  std::vector<float> wanted(clusters * dims);
  for (int i = 0; i < count; i++) {
    // Small whole numbers: the sums are exact in any order.
    points[i] = make_float4(random.below(8), random.below(8), random.below(8), random.below(8));
    labels[i] = uint8_t(random.below(clusters));
    wanted[labels[i] * dims] += points[i].x;
    wanted[labels[i] * dims + 3] += points[i].w;
  }
  float4* d_points = upload(points);
  uint8_t* d_labels = upload(labels);
  float* d_sums = allocate<float>(clusters * dims);
  unsigned* d_members = allocate<unsigned>(clusters);
  const Shape shape{132 * 4, 256};
  const auto restore = [&] {
    check(cudaMemset(d_sums, 0, clusters * dims * sizeof(float)));
    check(cudaMemset(d_members, 0, clusters * sizeof(unsigned)));
  };
  const auto times = measure(restore, [&] {
    kmeans_update_kernel<<<shape.grid, shape.block>>>(d_points, d_labels, count, d_sums, d_members);
  });
  const auto sums = download(d_sums, clusters * dims);
  for (int c = 0; c < clusters; c++) {
    expect(sums[c * dims] == wanted[c * dims] && sums[c * dims + 3] == wanted[c * dims + 3]);
  }
  report("kmeans_update", "kmeans_update_kernel", shape, times,
         checksum(sums) + checksum(download(d_members, clusters)));
}
