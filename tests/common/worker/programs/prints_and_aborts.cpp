#include <cstdio>
#include <cstdlib>

#include "probe.h"

void probe(const int*, int*, int n) {
  std::printf("n is %d\n", n);
  std::abort();
}
