// 2: tensor cores (mma.h) are not supported
#include <mma.h>
