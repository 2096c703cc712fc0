// 3: the emulator has barriers of a block only
#include <cuda/barrier>
__device__ cuda::barrier<cuda::thread_scope_device> barrier;
