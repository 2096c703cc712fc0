#include "honest.h"

#include "probe.h"

void probe(const int* in, int* out, int n) { honest_probe(in, out, n); }
