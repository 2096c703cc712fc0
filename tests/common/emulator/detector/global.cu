// Data races in global memory: between blocks, which no barrier orders, and within a block.

#include <utility>

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 32;
constexpr int grid = 4;
constexpr int n = grid * block;

__device__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Neighbors exchange elements through global memory without waiting.
namespace exchange_without_barrier {
__global__ void kernel(int* data, int* out) {
  data[threadIdx.x] = threadIdx.x;                   // A
  out[threadIdx.x] = data[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> data(block, 0);
  const Array<int> out(block);
  kernel<<<1, block>>>(data, out);
  finish();
}
}  // namespace exchange_without_barrier
DETECTOR_CASE(exchange_without_barrier, global_race);

// Within a block a barrier orders global memory too.
namespace exchange_with_barrier {
__global__ void kernel(int* data, int* out) {
  const int first = blockIdx.x * block;
  data[first + threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[first + threadIdx.x] = data[first + block - 1 - threadIdx.x];
}
void run() {
  const Array<int> data(n, 0);
  const Array<int> out(n);
  kernel<<<grid, block>>>(data, out);
  finish();
}
}  // namespace exchange_with_barrier
DETECTOR_CASE(exchange_with_barrier, none);

// A barrier does not wait for the neighboring block.
namespace barrier_taken_for_a_grid_barrier {
__global__ void kernel(int* data, int* out) {
  const int i = global_thread();
  data[i] = i;  // A
  __syncthreads();
  out[i] = data[(i + block) % n];  // B
}
void run() {
  const Array<int> data(n, 0);
  const Array<int> out(n);
  kernel<<<grid, block>>>(data, out);
  finish();
}
}  // namespace barrier_taken_for_a_grid_barrier
DETECTOR_CASE(barrier_taken_for_a_grid_barrier, global_race);

// The end of a launch waits for all blocks.
namespace two_launches_for_a_grid_barrier {
__global__ void produce(int* data) { data[global_thread()] = global_thread(); }
__global__ void consume(const int* data, int* out) {
  out[global_thread()] = data[(global_thread() + block) % n];
}
void run() {
  const Array<int> data(n);
  const Array<int> out(n);
  produce<<<grid, block>>>(data);
  consume<<<grid, block>>>(data, out);
  produce<<<grid, block>>>(data);
  finish();
}
}  // namespace two_launches_for_a_grid_barrier
DETECTOR_CASE(two_launches_for_a_grid_barrier, none);

// Every thread also writes its neighbor's element. Nothing orders the two between blocks.
namespace element_of_the_next_block {
__global__ void kernel(int* data) {
  const int i = global_thread();
  data[i] = i;  // A
  __syncthreads();
  if (i + 1 < n) data[i + 1] = -i;  // B
}
void run() {
  const Array<int> data(n, 0);
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace element_of_the_next_block
DETECTOR_CASE(element_of_the_next_block, global_race);

// Blocks write tiles whose edges overlap, each with its own value.
namespace overlapping_tiles {
__global__ void kernel(int* out) {
  const int first = blockIdx.x * (block - 1);
  out[first + threadIdx.x] = blockIdx.x;  // A B
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace overlapping_tiles
DETECTOR_CASE(overlapping_tiles, global_race);

// The overlapping elements get the same value from both blocks.
namespace overlapping_tiles_of_one_value {
__global__ void kernel(int* out) {
  const int i = blockIdx.x * (block - 1) + threadIdx.x;
  out[i] = 3 * i;  // A B
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace overlapping_tiles_of_one_value
DETECTOR_CASE(overlapping_tiles_of_one_value, note_same_value);

// Tiles that overlap in what they read, but not in what they write.
namespace overlapping_reads {
__global__ void kernel(const int* in, int* out) {
  const int i = global_thread();
  out[i] = in[i] + in[i + 1] + in[i + 2];
}
void run() {
  const Array<int> in(ascending(n + 2));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace overlapping_reads
DETECTOR_CASE(overlapping_reads, none);

// The barrier orders a block's threads; at the block's edge the neighbor is in another block.
namespace shift_in_place_across_blocks {
__global__ void kernel(int* data) {
  const int i = global_thread();
  const int right = data[i + 1];  // B
  __syncthreads();
  data[i] = right;  // A
}
void run() {
  const Array<int> data(ascending(n + 1));
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace shift_in_place_across_blocks
DETECTOR_CASE(shift_in_place_across_blocks, global_race);

// Blocks shift their own slices.
namespace shift_in_place_within_blocks {
__global__ void kernel(int* data) {
  int* slice = data + blockIdx.x * (block + 1);
  const int right = slice[threadIdx.x + 1];
  __syncthreads();
  slice[threadIdx.x] = right;
}
void run() {
  const Array<int> data(ascending(grid * (block + 1)));
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace shift_in_place_within_blocks
DETECTOR_CASE(shift_in_place_within_blocks, none);

// The caller passes an input and an output that overlap.
namespace input_overlaps_output {
__global__ void kernel(const int* in, int* out) {
  out[global_thread()] = in[global_thread()] + 1;  // A B
}
void run() {
  const Array<int> data(ascending(n + 1));
  kernel<<<grid, block>>>(data, data + 1);
  finish();
}
}  // namespace input_overlaps_output
DETECTOR_CASE(input_overlaps_output, global_race);

// Input and output are the same array, and each thread touches one element.
namespace input_is_output {
__global__ void kernel(const int* in, int* out) { out[global_thread()] = in[global_thread()] + 1; }
void run() {
  const Array<int> data(ascending(n));
  kernel<<<grid, block>>>(data, data);
  finish();
}
}  // namespace input_is_output
DETECTOR_CASE(input_is_output, none);

// Both threads of each pair move their own element.
namespace transpose_of_a_matrix_in_place_by_all {
constexpr int edge = 16;
__global__ void kernel(int* data) {
  const int x = threadIdx.x, y = blockIdx.x;
  const int mine = data[y * edge + x];  // B
  data[x * edge + y] = mine;            // A
}
void run() {
  const Array<int> data(ascending(edge * edge));
  kernel<<<edge, edge>>>(data);
  finish();
}
}  // namespace transpose_of_a_matrix_in_place_by_all
DETECTOR_CASE(transpose_of_a_matrix_in_place_by_all, global_race);

// One thread of each pair moves both elements.
namespace transpose_of_a_matrix_in_place_by_half {
constexpr int edge = 16;
__global__ void kernel(int* data) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x >= y) return;
  const int mine = data[y * edge + x];
  data[y * edge + x] = data[x * edge + y];
  data[x * edge + y] = mine;
}
void run() {
  const Array<int> data(ascending(edge * edge));
  kernel<<<edge, edge>>>(data);
  finish();
}
}  // namespace transpose_of_a_matrix_in_place_by_half
DETECTOR_CASE(transpose_of_a_matrix_in_place_by_half, none);

// The loop steps by the block instead of the grid, so every block also does the work of those after
// it.
namespace grid_loop_steps_by_block {
__global__ void kernel(int* data) {
  for (int i = global_thread(); i < 2 * n; i += blockDim.x) data[i] += 1;  // A B
}
void run() {
  const Array<int> data(2 * n, 0);
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace grid_loop_steps_by_block
DETECTOR_CASE(grid_loop_steps_by_block, global_race);

namespace grid_loop_steps_by_grid {
__global__ void kernel(int* data) {
  for (int i = global_thread(); i < 2 * n; i += gridDim.x * blockDim.x) data[i] += 1;
}
void run() {
  const Array<int> data(2 * n, 0);
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace grid_loop_steps_by_grid
DETECTOR_CASE(grid_loop_steps_by_grid, none);

// The index forgets the block: all blocks write the first block's elements.
namespace index_without_block {
__global__ void kernel(int* out) { out[threadIdx.x] = blockIdx.x; }  // A B
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace index_without_block
DETECTOR_CASE(index_without_block, global_race);

// The kernel takes the width of the block for the width of the matrix.
namespace rows_of_the_wrong_length {
constexpr int width = 32;
__global__ void kernel(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = threadIdx.y;
  out[y * blockDim.x + x] = x * 100 + y;  // A B
}
void run() {
  const Array<int> out(width * 4);
  kernel<<<2, dim3(width / 2, 4)>>>(out);
  finish();
}
}  // namespace rows_of_the_wrong_length
DETECTOR_CASE(rows_of_the_wrong_length, global_race);

// The data decide where threads write: here blocks 0 and 3 write to the same place.
namespace scatter_to_one_place_twice {
__global__ void kernel(const int* place, int* out) {
  const int i = global_thread();
  out[place[i]] = i;  // A B
}
void run() {
  std::vector<int> places = ascending(n);
  places[100] = 5;
  const Array<int> place(places);
  const Array<int> out(n);
  kernel<<<grid, block>>>(place, out);
  finish();
}
}  // namespace scatter_to_one_place_twice
DETECTOR_CASE(scatter_to_one_place_twice, global_race);

namespace scatter_to_each_place_once {
__global__ void kernel(const int* place, int* out) {
  const int i = global_thread();
  out[place[i]] = i;
}
void run() {
  std::vector<int> places = ascending(n);
  std::swap(places[100], places[5]);
  const Array<int> place(places);
  const Array<int> out(n);
  kernel<<<grid, block>>>(place, out);
  finish();
}
}  // namespace scatter_to_each_place_once
DETECTOR_CASE(scatter_to_each_place_once, none);

// Any block that finds something raises the flag.
namespace flag_raised_by_blocks {
__global__ void kernel(const int* in, int* flag) {
  if (in[global_thread()] % 7 == 0) *flag = 1;  // A B
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> flag(1, 0);
  kernel<<<grid, block>>>(in, flag);
  finish();
}
}  // namespace flag_raised_by_blocks
DETECTOR_CASE(flag_raised_by_blocks, note_same_value);

// One block raises the flag, and others read it.
namespace flag_read_by_other_blocks {
__global__ void kernel(int* flag, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *flag = 1;       // A
  if (blockIdx.x == 2 && threadIdx.x == 0) out[0] = *flag;  // B
}
void run() {
  const Array<int> flag(1, 0);
  const Array<int> out(1);
  kernel<<<grid, block>>>(flag, out);
  finish();
}
}  // namespace flag_read_by_other_blocks
DETECTOR_CASE(flag_read_by_other_blocks, global_race);

// Bytes of one word belong to different blocks.
namespace bytes_of_different_blocks {
__global__ void kernel(unsigned char* out) {
  out[threadIdx.x * grid + blockIdx.x] = static_cast<unsigned char>(blockIdx.x);
}
void run() {
  const Array<unsigned char> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace bytes_of_different_blocks
DETECTOR_CASE(bytes_of_different_blocks, none);

// Each thread makes more stores than its log holds. All are of the same values.
namespace same_values_in_many_places {
constexpr int places = 6000;
__global__ void kernel(int* out) {
  for (int i = 0; i < places; ++i) out[i] = 3 * i;  // A B
}
void run() {
  const Array<int> out(places, 0);
  kernel<<<1, 32>>>(out);
  finish();
}
}  // namespace same_values_in_many_places
DETECTOR_CASE(same_values_in_many_places, note_same_value);

// Other blocks have written other bytes of the word since.
namespace byte_of_an_earlier_block {
__global__ void kernel(unsigned char* data, int* out) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = 1;  // A
  } else {
    out[blockIdx.x] = blockIdx.x == 3 ? data[0] : 0;  // B
  }
}
void run() {
  const Array<unsigned char> data(4, 0);
  const Array<int> out(4);
  kernel<<<4, 2>>>(data, out);
  finish();
}
}  // namespace byte_of_an_earlier_block
DETECTOR_CASE(byte_of_an_earlier_block, global_race);

}  // namespace
