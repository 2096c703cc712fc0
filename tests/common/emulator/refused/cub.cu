// 5: cub is not supported
#include <cub/cub.cuh>
__global__ void k(int* out) {
  // The header alone is no use of it.
  using Reduce = cub::BlockReduce<int, 32>;
  *out = sizeof(Reduce);
}
