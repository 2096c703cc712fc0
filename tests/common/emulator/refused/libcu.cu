// 3: cuda::counting_semaphore is not supported
#include <cuda/semaphore>
__device__ cuda::counting_semaphore<> counter;
