// 3: half-precision types (cuda_fp16.h) are not supported

#include <cuda_fp16.h>
