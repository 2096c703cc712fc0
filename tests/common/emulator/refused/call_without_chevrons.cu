// 4: the kernel kernel is called like a function

__global__ void kernel(int* out) { *out = 1; }
void run(int* out) { kernel(out); }
