// 3: cuInit is not supported
#include <cuda.h>
void f() { cuInit(0); }
