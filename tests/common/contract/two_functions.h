#pragma once

#include <driver_types.h>

/// A contract of a few functions, with parameters and results of every kind.

struct Pair {
  float a, b;
};

void first(const int* in, Pair* out, int n);
void second(float* out, Pair scale);
double third(Pair* pairs, const bool* chosen);
cudaError_t fourth(float* values);
void fifth(const float* in, float* out, double* work);

#define TILELAB_LAB_FUNCTIONS(FUNCTION) \
  FUNCTION(first, in, out, n)           \
  FUNCTION(second, out, scale)          \
  FUNCTION(third, inout(pairs), chosen) \
  FUNCTION(fourth, inout(values))       \
  FUNCTION(fifth, in, out, scratch(work))
