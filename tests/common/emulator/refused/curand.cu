// 5: curandCreateGenerator is not supported
#include <curand.h>
void f() {
  curandGenerator_t generator;
  curandCreateGenerator(&generator, 100);
}
