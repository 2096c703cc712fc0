// 2: libcu++ (cuda/std) is not supported
#include <cuda/std/atomic>
