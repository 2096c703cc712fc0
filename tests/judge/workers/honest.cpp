#include "probe.h"

#include "honest.h"

void probe(const int* in, int* out, int n) { honest_probe(in, out, n); }
