// 4: curandSetQuasiRandomGeneratorDimensions is not supported
#include <curand.h>
void f(curandGenerator_t generator) {
  curandSetQuasiRandomGeneratorDimensions(generator, 2);
}
