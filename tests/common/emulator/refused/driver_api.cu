// 2: the driver API (cuda.h) is not supported
#include <cuda.h>
