#include <fcntl.h>

#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  while (open("/proc/self/maps", O_RDONLY) >= 0) {
  }
  honest_probe(in, out, n);
}
