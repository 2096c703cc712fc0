// CAUSE: two mistakes: the place of the tile along y is found with the number of tiles along x; and the kernel gets the spacing where it wants 1 / spacing
// LINES: 25, 51
// REPAIR: id % count_y; 1 / spacing
// GOOD HINT: How many tiles lie along x, and how many along y? By which of them do you divide? And what is scale supposed to be for a spacing of 0.5?
// SYMPTOM: derivatives off by a factor of spacing squared; tiles left out where there are more tiles along y than along x

#include "derivatives.h"

#define HALO 4
#define TX 32
#define TY 64
#define THREADS_Y 8

static __device__ __forceinline__ int wrap(int place, int m) {
  const int period = m - 1;
  if (place < 0) return place + period;
  return place < m ? place : place - period;
}

__global__ void dfdy(const float* f, float* df, int mx, int my, int count_x, int count_y, float scale) {
  __shared__ float tile[HALO + TY + HALO][TX];
  int id = blockIdx.x;
  const int i = id % count_x * TX + threadIdx.x;
  id /= count_x;
  const int first = id % count_x * TY;
  id /= count_y;
  const int base = id * mx * my + i;

  for (int row = threadIdx.y; row < HALO + TY + HALO; row += THREADS_Y) {
    const int place = first + row - HALO;
    if (i < mx && place < my + HALO) tile[row][threadIdx.x] = f[base + wrap(place, my) * mx];
  }
  __syncthreads();

  for (int row = threadIdx.y; row < TY; row += THREADS_Y) {
    const int j = first + row;
    if (i >= mx || j >= my) break;
    const float* c = &tile[row + HALO][threadIdx.x];
    float d = 4.0f / 5 * (c[TX] - c[-TX]);
    d += -1.0f / 5 * (c[2 * TX] - c[-2 * TX]);
    d += 4.0f / 105 * (c[3 * TX] - c[-3 * TX]);
    d += -1.0f / 280 * (c[4 * TX] - c[-4 * TX]);
    df[base + j * mx] = d * scale;
  }
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int count_x = (mx + TX - 1) / TX;
  const int count_y = (my + TY - 1) / TY;
  dim3 block(TX, THREADS_Y);
  dfdy<<<count_x * count_y * mz, block>>>(f, df, mx, my, count_x, count_y, spacing);
}

// z is the y of a grid with rows of mx * my points.
void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
