// 5: device code cannot call next, which is a host function

int next(int value) { return value + 1; }

__global__ void kernel(int* out) { *out = next(*out); }
