// 4: host code cannot call next, which is a device function

__device__ int next(int value) { return value + 1; }
int run(int value) { return next(value); }
