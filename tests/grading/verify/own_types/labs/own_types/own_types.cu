// Lab `own_types`: six functions.

#include "own_types.h"

// TODO 1: Write the kernels.

void scale(float*, float, int) {}
cudaError_t scale_from_host(float*, float, int) { return cudaSuccess; }
void laplace(const double*, double*, Grid) {}
int count_bright(const unsigned char*, unsigned char, int) { return -1; }
double pick(const Particle*, const bool*, Particle*, std::uint64_t*, int) { return -1; }
void tint(uchar4*, short*, bool*, int) {}
