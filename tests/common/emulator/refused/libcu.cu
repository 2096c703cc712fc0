// 3: cuda is not supported
#include <cuda/semaphore>
__device__ cuda::counting_semaphore<> counter;
