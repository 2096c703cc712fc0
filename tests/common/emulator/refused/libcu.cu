// 3: cuda is not supported
#include <cuda/atomic>
__device__ cuda::atomic<int> counter;
