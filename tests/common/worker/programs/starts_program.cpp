#include <cstdlib>

#include "probe.h"

void probe(const int*, int* out, int) {
  if (std::system("sleep 60") == 0) out[0] = 1;
}
