// Overruns from one part of an array into the next, where its type says where the parts end.
// Memory is not left, so compute-sanitizer sees nothing.

#include "cases.h"

#if defined(__x86_64__) && !defined(__clang__)
#define ROW_CASE(name) DETECTOR_CASE(name, out_of_bounds)
#else
#define ROW_CASE(name) DEBATABLE_CASE(name, out_of_bounds, "only g++ on x86-64 checks indexes")
#endif

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int edge = 16;

// The last thread of each row takes the first element of the next row for its right neighbor.
namespace right_neighbor_in_the_next_row {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[edge + 1][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * edge + x];
  if (y == 0) tile[edge][x] = 0;
  __syncthreads();
  out[y * edge + x] = tile[y][x + 1];  // A
}
void run() {
  const Array<int> in(ascending(edge * edge));
  const Array<int> out(edge * edge);
  kernel<<<1, dim3(edge, edge)>>>(in, out);
  finish();
}
}  // namespace right_neighbor_in_the_next_row
ROW_CASE(right_neighbor_in_the_next_row);

namespace right_neighbor_in_its_own_row {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[edge][edge + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * edge + x];
  if (x == 0) tile[y][edge] = 0;
  __syncthreads();
  out[y * edge + x] = tile[y][x + 1];
}
void run() {
  const Array<int> in(ascending(edge * edge));
  const Array<int> out(edge * edge);
  kernel<<<1, dim3(edge, edge)>>>(in, out);
  finish();
}
}  // namespace right_neighbor_in_its_own_row
DETECTOR_CASE(right_neighbor_in_its_own_row, none);

// Element -1 of a row is the last one of the row before it.
namespace left_neighbor_in_the_row_before {
__global__ void kernel(int* out) {
  __shared__ int tile[2][edge];
  const int x = threadIdx.x;
  tile[0][x] = x;
  tile[1][x] = -x;
  __syncthreads();
  out[x] = tile[1][x - 1];  // A
}
void run() {
  const Array<int> out(edge);
  kernel<<<1, edge>>>(out);
  finish();
}
}  // namespace left_neighbor_in_the_row_before
ROW_CASE(left_neighbor_in_the_row_before);

// A loop goes one coordinate too far, into the next member.
namespace coordinate_in_the_next_member {
struct Body {
  float position[3];
  float velocity[3];
};
__global__ void kernel(const Body* bodies, float* out, int coordinates) {
  float sum = 0;
  for (int k = 0; k < coordinates; ++k) sum += bodies[threadIdx.x].position[k];  // A
  out[threadIdx.x] = sum;
}
void run() {
  const Array<Body> bodies(std::vector<Body>(edge, Body{{1, 2, 3}, {4, 5, 6}}));
  const Array<float> out(edge);
  kernel<<<1, edge>>>(bodies, out, 4);
  finish();
}
}  // namespace coordinate_in_the_next_member
ROW_CASE(coordinate_in_the_next_member);

// The last member's array ends where the next struct begins.
namespace coordinate_in_the_next_struct {
struct Body {
  float mass;
  float position[3];
};
__global__ void kernel(Body* bodies, int coordinates) {
  for (int k = 0; k < coordinates; ++k) bodies[2 * threadIdx.x].position[k] = 0;  // A
}
void run() {
  const Array<Body> bodies(std::vector<Body>(2 * edge, Body{1, {2, 3, 4}}));
  kernel<<<1, edge>>>(bodies, 4);
  finish();
}
}  // namespace coordinate_in_the_next_struct
ROW_CASE(coordinate_in_the_next_struct);

// An array of a thread's own.
namespace past_the_end_of_a_local_array {
__global__ void kernel(const int* in, int* out, int count) {
  int counts[4] = {};
  for (int i = 0; i < count; ++i) counts[in[i] % 5] += 1;  // A
  out[threadIdx.x] = counts[threadIdx.x % 4];
}
void run() {
  const Array<int> in(ascending(edge));
  const Array<int> out(edge);
  kernel<<<1, edge>>>(in, out, edge);
  finish();
}
}  // namespace past_the_end_of_a_local_array
ROW_CASE(past_the_end_of_a_local_array);

// A matrix in global memory, as a pointer to rows.
namespace rows_of_a_matrix {
__global__ void kernel(const int (*in)[edge], int (*out)[edge]) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = x > 0 ? in[y][x - 1] : 0;
  out[x][y] = in[y][x] - left;
}
void run() {
  const Array<int> in(ascending(edge * edge));
  const Array<int> out(edge * edge);
  using Rows = int(*)[edge];
  kernel<<<1, dim3(edge, edge)>>>(reinterpret_cast<Rows>(static_cast<int*>(in)),
                                  reinterpret_cast<Rows>(static_cast<int*>(out)));
  finish();
}
}  // namespace rows_of_a_matrix
DETECTOR_CASE(rows_of_a_matrix, none);

// A pointer to the first element goes through all rows, and a pointer past the last one ends the
// loop.
namespace tile_as_one_row {
__global__ void kernel(int* out) {
  __shared__ int tile[edge][edge];
  int* const all = &tile[0][0];
  for (int i = threadIdx.x; i < edge * edge; i += edge) all[i] = i;
  __syncthreads();
  int sum = 0;
  for (const int *p = tile[threadIdx.x], *end = &tile[threadIdx.x][edge]; p != end; ++p) sum += *p;
  out[threadIdx.x] = sum;
}
void run() {
  const Array<int> out(edge);
  kernel<<<1, edge>>>(out);
  finish();
}
}  // namespace tile_as_one_row
DETECTOR_CASE(tile_as_one_row, none);

// A header whose one-element array stands for as many elements as were allocated.
namespace array_that_stands_for_more {
struct List {
  int count;
  int values[1];
};
__global__ void kernel(List* list) {
  if (threadIdx.x == 0) list->count = edge;
  list->values[threadIdx.x] = threadIdx.x;
}
void run() {
  const Array<int> memory(1 + edge);
  kernel<<<1, edge>>>(reinterpret_cast<List*>(static_cast<int*>(memory)));
  finish();
}
}  // namespace array_that_stands_for_more
DETECTOR_CASE(array_that_stands_for_more, none);

}  // namespace
