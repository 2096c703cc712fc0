// Step 2: all three derivatives in one pass, so that the field is read once: 16 bytes per point
// instead of 24. If nothing but the memory took time, that would be 1.5 times as fast as step 1; on
// an H200 it is 1.34 times as fast.
//
// A block sweeps along z. It is 64 x 16 points wide, and a thread has a float2 of them. A thread
// keeps its own values of the planes around its points in registers. The planes in the middle also
// go into a tile in shared memory, with a halo along x and y: there a point finds the neighbors
// that other threads have. Here a tile is worth its barrier: without it each thread would load
// thirteen float2 per plane instead of its own and a share of the halo.
//
//               .-----------------------------.
//               |   4 rows of 32 float2       |
//     .---------+-----------------------------+---------.
//     | 4 x 16  |  tile: 16 rows of 32 float2 | 4 x 16  |
//     | floats  |                             | floats  |
//     '---------+-----------------------------+---------'
//               |   4 rows of 32 float2       |
//               '-----------------------------'
//
// Barriers are what a sweep waits for: between two of them a block has little to do, and only
// another block could fill the time. So it takes two planes at once. Meanwhile the values of the
// next two planes, and their halo, are in flight: 256 threads load a float2 above or below, 128 a
// float on the left or right. Two pairs of tiles take turns, so that one barrier per pair is
// enough.
//
// Loads per point: 1 for the own value, 8/16 + 8/64 for the halo, and 8 planes more per piece of z.
// The neighboring blocks load the halo as their own values, at about the same time, so L2 can
// answer it.

#include "gradient.h"

namespace {

constexpr int halo = 4;
constexpr int planes = 2;  // per barrier
constexpr int block_x = 32, block_y = 16;
constexpr int tile_x = 2 * block_x;  // points
constexpr int threads = block_x * block_y;
constexpr int blocks_at_a_time = 2;                  // per multiprocessor
constexpr int enough_blocks = 2048;                  // for a large GPU
constexpr int shortest_piece = 16;                   // planes of a piece
constexpr int above_and_below = 2 * halo * block_x;  // threads with a halo along y
constexpr int left_and_right = 2 * halo * block_y;   // threads with a halo along x
static_assert(above_and_below + left_and_right <= threads);

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

constexpr int side = halo / 2;  // in float2
using Row = float2[side + block_x + side];
using Tile = Row[halo + block_y + halo];
constexpr int pitch = 2 * (side + block_x + side);  // floats of a row

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__device__ void add(float& sum, float factor, float right, float left) {
  sum += factor * (right - left);
}

__device__ void add(float2& sum, float factor, float2 right, float2 left) {
  add(sum.x, factor, right.x, left.x);
  add(sum.y, factor, right.y, left.y);
}

__device__ void store(float* result, float2 sum, float scale) {
  __stcs(reinterpret_cast<float2*>(result), make_float2(sum.x * scale, sum.y * scale));
}

// Two places that a thread loads of each plane. Those from the other end of a row are not aligned
// as a float2 must be: the period is odd.
struct Pair {
  int offset;  // in the plane
  bool is_other_end;

  __device__ float2 load(const float* plane) const {
    const float* places = plane + offset;
    if (is_other_end) return make_float2(places[0], places[1]);
    return *reinterpret_cast<const float2*>(places);
  }
};

// The pair that begins at (i, j). What lies beyond the halo is not needed, and may be anything.
__device__ Pair pair_at(int i, int j, int mx, int my) {
  if (i >= mx + halo || j >= my + halo) return {0, false};
  return {wrap(j, my) * mx + wrap(i, mx), i >= mx};
}

// One thread's share of the tile's halo: what it loads of each plane, and the float of the tile
// where that belongs.
struct Halo {
  enum { nothing, two, one } count;
  Pair source;
  int slot;

  __device__ float2 load(const float* plane) const {
    if (count == two) return source.load(plane);
    return make_float2(count == one ? plane[source.offset] : 0, 0);
  }

  __device__ void store(Tile& tile, float2 value) const {
    float* place = reinterpret_cast<float*>(&tile) + slot;
    if (count == two) *reinterpret_cast<float2*>(place) = value;
    if (count == one) *place = value.x;
  }
};

__device__ Halo make_halo(int thread, int first_i, int first_j, int mx, int my) {
  if (thread < above_and_below) {
    const int r = thread / block_x, column = halo + 2 * (thread % block_x);
    const int row = r < halo ? r : block_y + r;
    const Pair source = pair_at(first_i + column - halo, first_j + row - halo, mx, my);
    return {Halo::two, source, row * pitch + column};
  }
  if (thread < above_and_below + left_and_right) {
    const int c = thread % (2 * halo), row = halo + (thread - above_and_below) / (2 * halo);
    const int column = c < halo ? c : tile_x + c;
    const Pair source = pair_at(first_i + column - halo, first_j + row - halo, mx, my);
    return {Halo::one, source, row * pitch + column};
  }
  return {Halo::nothing, {0, false}, 0};
}

// The derivatives of the two points in row[c].
__device__ float2 along_x(const Row& row, int c) {
  float value[2 * (side + 1 + side)];
#pragma unroll
  for (int w = 0; w < side + 1 + side; ++w) {
    value[2 * w] = row[c - side + w].x;
    value[2 * w + 1] = row[c - side + w].y;
  }
  float2 sum = {};
#pragma unroll
  for (int d = 1; d <= halo; ++d) {
    add(sum.x, coefficient[d], value[halo + d], value[halo - d]);
    add(sum.y, coefficient[d], value[halo + 1 + d], value[halo + 1 - d]);
  }
  return sum;
}

__device__ float2 along_y(const Tile& tile, int r, int c) {
  float2 sum = {};
#pragma unroll
  for (int d = 1; d <= halo; ++d) add(sum, coefficient[d], tile[r + d][c], tile[r - d][c]);
  return sum;
}

__device__ float2 along_z(const float2* value) {
  float2 sum = {};
#pragma unroll
  for (int d = 1; d <= halo; ++d) add(sum, coefficient[d], value[d], value[-d]);
  return sum;
}

__global__ void __launch_bounds__(threads, blocks_at_a_time)
    gradient_kernel(const float* f, float* dfdx, float* dfdy, float* dfdz, int mx, int my, int mz,
                    int piece, float scale) {
  __shared__ Tile tiles[2][planes];
  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_y = (my + block_y - 1) / block_y;
  const int first_i = blockIdx.x % tiles_x * tile_x;
  const int first_j = blockIdx.x / tiles_x % tiles_y * block_y;
  const int begin = blockIdx.x / tiles_x / tiles_y * piece, end = min(begin + piece, mz);
  const int tx = threadIdx.x, ty = threadIdx.y, plane = mx * my;
  const int i = first_i + 2 * tx, j = first_j + ty;
  const bool has_points = i < mx && j < my;
  const Pair own = pair_at(i, j, mx, my);
  const Halo beside = make_halo(ty * block_x + tx, first_i, first_j, mx, my);
  // The last plane of a piece may have no partner: what is loaded for that one is not used.
  const auto level = [&](int k) { return f + wrap(min(k, mz - 1 + halo), mz) * plane; };

  // At the top of the loop value[halo] belongs to plane k - planes, whose df/dz is not made yet:
  // its last values were loaded before df/dx and df/dy were computed, which hides their latency.
  float2 value[halo + planes + halo] = {};
#pragma unroll
  for (int w = 0; w < 2 * halo; ++w) value[w + planes] = own.load(level(begin + w - halo));
  float2 next_beside[planes];
#pragma unroll
  for (int p = 0; p < planes; ++p) next_beside[p] = beside.load(level(begin + p));
  for (int k = begin;; k += planes) {
    const int point = k * plane + own.offset;
#pragma unroll
    for (int p = 0; p < planes; ++p) {
      const bool is_mine = has_points && k > begin && k - planes + p < end;
      if (is_mine) store(dfdz + point + (p - planes) * plane, along_z(value + halo + p), scale);
    }
    if (k >= end) break;
#pragma unroll
    for (int w = 0; w < 2 * halo; ++w) value[w] = value[w + planes];

    Tile* pair = tiles[(k - begin) / planes % 2];
#pragma unroll
    for (int p = 0; p < planes; ++p) {
      pair[p][halo + ty][side + tx] = value[halo + p];
      beside.store(pair[p], next_beside[p]);
    }
#pragma unroll
    for (int p = 0; p < planes; ++p) {
      value[2 * halo + p] = own.load(level(k + halo + p));
      next_beside[p] = beside.load(level(k + planes + p));
    }
    __syncthreads();

#pragma unroll
    for (int p = 0; p < planes; ++p) {
      if (!has_points || k + p >= end) break;
      store(dfdy + point + p * plane, along_y(pair[p], halo + ty, side + tx), scale);
      store(dfdx + point + p * plane, along_x(pair[p][halo + ty], side + tx), scale);
    }
  }
}

// At one place of a pencil: m points that lie `stride` apart.
__device__ float derivative(const float* pencil, int place, int m, int stride, float scale) {
  float sum = 0;
  for (int d = 1; d <= halo; ++d) {
    add(sum, coefficient[d], pencil[wrap(place + d, m) * stride],
        pencil[wrap(place - d, m) * stride]);
  }
  return sum * scale;
}

// One thread per point: for rows of an odd length, and for arrays that are not aligned to 8 bytes.
__global__ void gradient_points(const float* f, float* dfdx, float* dfdy, float* dfdz, int mx,
                                int my, int mz, float scale) {
  const int blocks_per_row = (mx + threads - 1) / threads;
  const int i = blockIdx.x % blocks_per_row * threads + threadIdx.x;
  const int row = blockIdx.x / blocks_per_row, j = row % my, k = row / my;
  if (i >= mx) return;
  const int plane = mx * my, point = row * mx + i;
  dfdx[point] = derivative(f + point - i, i, mx, 1, scale);
  dfdy[point] = derivative(f + point - j * mx, j, my, mx, scale);
  dfdz[point] = derivative(f + point - k * plane, k, mz, plane, scale);
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

bool is_aligned(const void* pointer) {
  return reinterpret_cast<size_t>(pointer) % sizeof(float2) == 0;
}

}  // namespace

void gradient(const float* f, float* dfdx, float* dfdy, float* dfdz, int mx, int my, int mz,
              float spacing) {
  const float scale = 1 / spacing;
  if (mx % 2 == 0 && is_aligned(f) && is_aligned(dfdx) && is_aligned(dfdy) && is_aligned(dfdz)) {
    const int tiles = blocks_for(mx, tile_x) * blocks_for(my, block_y);
    const int wanted = blocks_for(mz, blocks_for(enough_blocks, tiles));
    const int piece = wanted > shortest_piece ? wanted : shortest_piece;
    gradient_kernel<<<tiles * blocks_for(mz, piece), dim3(block_x, block_y)>>>(
        f, dfdx, dfdy, dfdz, mx, my, mz, piece, scale);
  } else {
    const int blocks = blocks_for(mx, threads) * my * mz;
    gradient_points<<<blocks, threads>>>(f, dfdx, dfdy, dfdz, mx, my, mz, scale);
  }
}
