#include <cstdio>

#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  for (int i = 0; i < 100'000; ++i) std::puts("debugging: the same line again and again");
  honest_probe(in, out, n);
}
