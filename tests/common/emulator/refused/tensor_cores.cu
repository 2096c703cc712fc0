// 3: nvcuda is not supported
#include <mma.h>
using namespace nvcuda;
