#pragma once

/// The contract of the judge's own tests: out[i] = in[i] + 1.
void probe(const int* in, int* out, int n);

#define TILELAB_LAB_FUNCTIONS(FUNCTION) FUNCTION(probe, in, out, n)
