// 4: device code cannot use weights, which is a variable of the host

constexpr float weights[] = {1, 2, 3};
__global__ void kernel(float* out) { *out *= weights[threadIdx.x]; }
