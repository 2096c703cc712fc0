// 3: error
__global__ void k(int* p) {}
void f(float* p) { k<<<1, 1>>>(p); }
