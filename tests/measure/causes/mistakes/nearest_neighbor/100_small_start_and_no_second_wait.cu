// CAUSE: (1) The search starts with 1e10 as the least distance, but squared distances may be larger, up to FLT_MAX. (2) No barrier follows the scan of a tile, so fast threads overwrite the tile while others still scan it.
// LINES: 33 47 48
// REPAIR: line 33: `float best_ = 1e10f;` -> `float best_ = FLT_MAX;`; insert `__syncthreads();` after line 47
// SYMPTOM: (1) Points that are more than 1e5 away from all others get -1. (2) A data race for n > 64: threads miss points, or compare others in their place.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

template <int Size>
class Search {
 public:
  __device__ Search(float3 own, int self) : own_(own), self_(self) {}

  __device__ void scan(const float3 (&tile)[Size], int first, int count) {
    for (int k = 0; k < count; ++k) {
      const float dx = own_.x - tile[k].x;
      const float dy = own_.y - tile[k].y;
      const float dz = own_.z - tile[k].z;
      const float d = dx * dx + dy * dy + dz * dz;
      const int j = first + k;
      if (j != self_ && d < best_) best_ = d, index_ = j;
    }
  }

  __device__ int result() const { return index_; }

 private:
  float3 own_;
  int self_;
  float best_ = 1e10f;
  int index_ = -1;
};

template <int Size>
__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[Size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * Size + t;
  Search<Size> search(i < n ? points[i] : float3{}, i);

  for (int first = 0; first < n; first += Size) {
    if (first + t < n) tile[t] = points[first + t];
    __syncthreads();
    search.scan(tile, first, min(Size, n - first));
  }

  if (i < n) nearest[i] = search.result();
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  constexpr int size = 64;
  if (n == 0) return;
  nearest_kernel<size><<<(n + size - 1) / size, size>>>(points, nearest, n);
}
