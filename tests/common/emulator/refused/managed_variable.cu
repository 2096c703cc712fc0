// 2: __managed__ is not supported
__device__ __managed__ int x;
