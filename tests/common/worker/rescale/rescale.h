#pragma once

/// A contract with what `probe` lacks: an array that is read and written, a struct, and a result.

/// How values change.
struct Change {
  double factor;
  long long offset;
  short first, end;
};

/// values[i] = factor * values[i] + offset for first <= i < end; returns their new sum.
long long rescale(short* values, Change change, int n);

#define TILELAB_LAB_FUNCTIONS(FUNCTION) FUNCTION(rescale, inout(values), change, n)
