// 4: device code cannot call helper, which is a kernel: a function that kernels call is __device__

__global__ void helper(int* out) { *out = 1; }
__global__ void kernel(int* out) { helper(out); }
