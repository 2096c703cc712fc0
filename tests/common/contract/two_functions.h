#pragma once

/// A contract of two functions, with parameters of every kind.

struct Pair {
  float a, b;
};

void first(const int* in, Pair* out, int n);
void second(float* out, Pair scale);

#define TILELAB_LAB_FUNCTIONS(FUNCTION) \
  FUNCTION(first, in, out, n)           \
  FUNCTION(second, out, scale)
