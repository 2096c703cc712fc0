// 4: device code cannot use scale, which is a variable of the host

static int scale = 3;
__global__ void kernel(int* out) { *out *= scale; }
