#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  honest_probe(in, out, n);
  static_cast<void>(cudaMemset(const_cast<int*>(in), 0x5a, sizeof(int)));
}
