#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// A grid of nx times ny points, and what its borders hold.
struct Grid {
  int nx, ny;
  double spacing;
  double border;
};

/// A body with an identity.
struct Particle {
  float3 position;
  float mass;
  short id;
};

/// values[i] *= factor for 0 <= i < n, in place.
void scale(float* values, float factor, int n);

/// The same for an array in host memory.
cudaError_t scale_from_host(float* values, float factor, int n);

/// The Laplacian of f on the grid, in both directions; outside of the grid lies the border.
void laplace(const double* f, double* result, Grid grid);

/// How many of n pixels are brighter than the limit.
int count_bright(const unsigned char* image, unsigned char limit, int n);

/// out[i] = in[i] where it was chosen and a Particle of zeros elsewhere, and keys[i] = 1000 * its
/// id
/// + 7. Returns the mass of all that were chosen, which are whole numbers.
double pick(const Particle* in, const bool* chosen, Particle* out, std::uint64_t* keys, int n);

/// Adds 1 to the red of each pixel, which wraps, and stores the sum of its colors. Marks it if that
/// is odd.
void tint(uchar4* pixels, short* sums, bool* odd, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION)               \
  FUNCTION(scale, inout(values), factor, n)           \
  FUNCTION(scale_from_host, inout(values), factor, n) \
  FUNCTION(laplace, f, result, grid)                  \
  FUNCTION(count_bright, image, limit, n)             \
  FUNCTION(pick, in, chosen, out, keys, n)            \
  FUNCTION(tint, inout(pixels), sums, odd, n)
