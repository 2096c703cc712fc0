#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  honest_probe(in, out, n);
  static_cast<void>(cudaMemset(out + n, 0, 2 * sizeof(int)));
}
