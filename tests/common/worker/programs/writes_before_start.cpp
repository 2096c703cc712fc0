#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  honest_probe(in, out, n);
  static_cast<void>(cudaMemset(out - 1, 0, sizeof(int)));
}
