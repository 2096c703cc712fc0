#include "timed.h"

constexpr int clusters = 64, dims = 8;

extern "C" __global__ void kmeans_assign_kernel(const float* points, const float* centers,
                                                int* labels, int count) {
  __shared__ float shared_centers[clusters * dims];
  for (int i = threadIdx.x; i < clusters * dims; i += blockDim.x) shared_centers[i] = centers[i];
  __syncthreads();
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  float own[dims];
#pragma unroll
  for (int d = 0; d < dims; d++) own[d] = points[d * count + point];
  float best = 1e30f;
  int label = 0;
  for (int c = 0; c < clusters; c++) {
    float distance = 0;
#pragma unroll
    for (int d = 0; d < dims; d++) {
      const float difference = own[d] - shared_centers[c * dims + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      label = c;
    }
  }
  labels[point] = label;
}

int main() {
  const int count = 1 << 20;
  Random random{17};
  std::vector<float> points(size_t(count) * dims), centers(clusters * dims);
  // Small whole numbers: distances are exact, and so are the labels.
  for (auto& value : points) value = float(random.below(64));
  for (auto& value : centers) value = float(random.below(64));
  float* d_points = upload(points);
  float* d_centers = upload(centers);
  int* d_labels = allocate<int>(count);
  const Shape shape{count / 256, 256};
  const auto times = measure([] {},
                             [&] {
                               kmeans_assign_kernel<<<shape.grid, shape.block>>>(
                                   d_points, d_centers, d_labels, count);
                             });
  const auto labels = download(d_labels, count);
  for (int p = 0; p < count; p += 1009) {
    float best = 1e30f;
    int label = 0;
    for (int c = 0; c < clusters; c++) {
      float distance = 0;
      for (int d = 0; d < dims; d++) {
        const float difference = points[size_t(d) * count + p] - centers[c * dims + d];
        distance += difference * difference;
      }
      if (distance < best) best = distance, label = c;
    }
    expect(labels[p] == label);
  }
  report("kmeans_assign", "kmeans_assign_kernel", shape, times, checksum(labels));
}
