// 5: device code cannot call std::numeric_limits

#include <limits>

__global__ void kernel(float* out) { *out = std::numeric_limits<float>::max(); }
