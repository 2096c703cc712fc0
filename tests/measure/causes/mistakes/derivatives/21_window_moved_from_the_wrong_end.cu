// CAUSE: the window of nine values is moved from its end to its beginning, so each value is overwritten before it is moved on, and all nine become the last one
// LINES: 22
// REPAIR: for (int m = 0; m < 8; ++m)
// GOOD HINT: Move 1, 2, 3 one place to the left by hand, in the order of your loop. What is left of the 1 and the 2?
// SYMPTOM: wrong derivatives everywhere but for constant fields

#include "derivatives.h"

namespace {

__device__ int wrapped(int place, int points) {
  if (place < 0) place += points - 1;
  else if (place >= points) place -= points - 1;
  return place;
}

// Places j - 4 to j + 4 of a pencil, in registers.
struct Window {
  float w[9];

  __device__ void push(float next) {
    for (int m = 7; m >= 0; --m) w[m] = w[m + 1];
    w[8] = next;
  }

  __device__ float slope() const {
    return 4.0f / 5 * (w[5] - w[3]) - 1.0f / 5 * (w[6] - w[2]) + 4.0f / 105 * (w[7] - w[1]) -
           1.0f / 280 * (w[8] - w[0]);
  }
};

__device__ void walk(const float* f, float* df, int points, int step, float h) {
  Window window = {};
  for (int j = -4; j < 4; ++j) window.push(f[wrapped(j, points) * step]);
  for (int j = 0; j < points; ++j) {
    window.push(f[wrapped(j + 4, points) * step]);
    df[j * step] = window.slope() / h;
  }
}

// A thread has a whole pencil.
__global__ void along_y(const float* f, float* df, int mx, int my, int mz, float h) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= mx * mz) return;
  const int start = p / mx * (mx * my) + p % mx;
  walk(f + start, df + start, my, mx, h);
}

__global__ void along_z(const float* f, float* df, int mx, int my, int mz, float h) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= mx * my) return;
  walk(f + p, df + p, mz, mx * my, h);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  along_y<<<(mx * mz + 127) / 128, 128>>>(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  along_z<<<(mx * my + 127) / 128, 128>>>(f, df, mx, my, mz, spacing);
}
