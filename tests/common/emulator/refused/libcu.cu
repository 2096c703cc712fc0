// 3: cuda::annotated_ptr is not supported
#include <cuda/annotated_ptr>
__device__ cuda::annotated_ptr<int, cuda::access_property::global> pointer;
