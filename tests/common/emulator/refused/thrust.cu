// 3: Thrust is not supported
#include <cstdio>
#include <thrust/device_vector.h>
