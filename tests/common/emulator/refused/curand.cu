// 2: random numbers from cuRAND (curand_kernel.h) are not supported
#include <curand_kernel.h>
