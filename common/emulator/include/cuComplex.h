#pragma once

/// CUDA's complex numbers, which are pairs of floats or doubles.

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Letter is the f or nothing that ends each name.
#define TILELAB_COMPLEX(Complex, Scalar, Letter)                                            \
  constexpr Scalar cuCreal##Letter(Complex a) { return a.x; }                               \
  constexpr Scalar cuCimag##Letter(Complex a) { return a.y; }                               \
  constexpr Complex cuConj##Letter(Complex a) { return {a.x, -a.y}; }                       \
  constexpr Complex cuCadd##Letter(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; } \
  constexpr Complex cuCsub##Letter(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; } \
  constexpr Complex cuCmul##Letter(Complex a, Complex b) {                                  \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                  \
  }                                                                                         \
  /* Scaled, so that squares do not overflow. */                                            \
  inline Complex cuCdiv##Letter(Complex a, Complex b) {                                     \
    const Scalar scale = 1 / (fabs##Letter(b.x) + fabs##Letter(b.y));                       \
    const Complex p{a.x * scale, a.y * scale}, q{b.x * scale, b.y * scale};                 \
    const Scalar norm = 1 / (q.x * q.x + q.y * q.y);                                        \
    return {(p.x * q.x + p.y * q.y) * norm, (p.y * q.x - p.x * q.y) * norm};                \
  }                                                                                         \
  inline Scalar cuCabs##Letter(Complex a) { return hypot##Letter(a.x, a.y); }               \
  constexpr Complex cuCfma##Letter(Complex a, Complex b, Complex c) {                       \
    return cuCadd##Letter(cuCmul##Letter(a, b), c);                                         \
  }

TILELAB_COMPLEX(cuFloatComplex, float, f)
TILELAB_COMPLEX(cuDoubleComplex, double, )
#undef TILELAB_COMPLEX

constexpr cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
constexpr cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
constexpr cuComplex make_cuComplex(float x, float y) { return {x, y}; }
constexpr cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
constexpr cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
