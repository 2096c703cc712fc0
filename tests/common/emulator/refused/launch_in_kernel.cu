// 4: kernel is launched by device code

__global__ void kernel(int* out) { *out = 1; }
__global__ void outer(int* out) { kernel<<<1, 1>>>(out); }
