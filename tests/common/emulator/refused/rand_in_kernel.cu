// 3: device code cannot call rand, which is a host function

__global__ void kernel(int* out) { *out = rand(); }
