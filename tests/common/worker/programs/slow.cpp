#include <unistd.h>

#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  usleep(3000);
  honest_probe(in, out, n);
}
