// 2: error
__global__ int k() { return 1; } void f() { k<<<1, 1>>>(); }
