// Data races in shared memory, and what looks like one.

#include <utility>

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;

// A tile is read before it is complete.
namespace tile_read_before_it_is_loaded {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = in[threadIdx.x];               // A
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace tile_read_before_it_is_loaded
DETECTOR_CASE(tile_read_before_it_is_loaded, shared_race);

// A tile is overwritten while slower threads still read the one before.
namespace tile_overwritten_while_read {
__global__ void kernel(const int* in, int* out, int tiles) {
  __shared__ int tile[block];
  int total = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * block + threadIdx.x];  // A
    __syncthreads();
    for (int k = 0; k < block; ++k) total += tile[k];  // B
  }
  out[threadIdx.x] = total;
}
void run() {
  const Array<int> in(ascending(3 * block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace tile_overwritten_while_read
DETECTOR_CASE(tile_overwritten_while_read, shared_race);

// Both barriers of a loop over tiles.
namespace tile_with_both_barriers {
__global__ void kernel(const int* in, int* out, int tiles) {
  __shared__ int tile[block];
  int total = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * block + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < block; ++k) total += tile[k];
    __syncthreads();
  }
  out[blockIdx.x * block + threadIdx.x] = total;
}
void run() {
  const Array<int> in(ascending(3 * block));
  const Array<int> out(2 * block);
  kernel<<<2, block>>>(in, out, 3);
  finish();
}
}  // namespace tile_with_both_barriers
DETECTOR_CASE(tile_with_both_barriers, none);

// The halo is loaded after the barrier that should wait for it.
namespace halo_loaded_after_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block + 1];
  const int tx = threadIdx.x;
  tile[tx + 1] = in[tx + 1];
  __syncthreads();
  if (tx == block - 1) tile[0] = in[0];  // A
  out[tx] = tile[tx + 1] - tile[tx];     // B
}
void run() {
  const Array<int> in(ascending(block + 1));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace halo_loaded_after_barrier
DETECTOR_CASE(halo_loaded_after_barrier, shared_race);

namespace halo_loaded_before_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block + 1];
  const int tx = threadIdx.x;
  tile[tx + 1] = in[tx + 1];
  if (tx == block - 1) tile[0] = in[0];
  __syncthreads();
  out[tx] = tile[tx + 1] - tile[tx];
}
void run() {
  const Array<int> in(ascending(block + 1));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace halo_loaded_before_barrier
DETECTOR_CASE(halo_loaded_before_barrier, none);

// Each thread replaces the element that its neighbor may still need.
namespace stencil_in_place {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = data[tx];
  __syncthreads();
  const int left = tx > 0 ? tile[tx - 1] : 0;  // B
  tile[tx] = left + 1;                         // A
  __syncthreads();
  data[tx] = tile[tx];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace stencil_in_place
DETECTOR_CASE(stencil_in_place, shared_race);

namespace stencil_in_place_in_two_phases {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = data[tx];
  __syncthreads();
  const int left = tx > 0 ? tile[tx - 1] : 0;
  __syncthreads();
  tile[tx] = left + 1;
  __syncthreads();
  data[tx] = tile[tx];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace stencil_in_place_in_two_phases
DETECTOR_CASE(stencil_in_place_in_two_phases, none);

// With two buffers one barrier per step is enough.
namespace double_buffer {
__global__ void kernel(const int* in, int* out, int steps) {
  __shared__ int buffer[2][block];
  const int tx = threadIdx.x;
  int total = 0;
  for (int s = 0; s < steps; ++s) {
    buffer[s % 2][tx] = in[s * block + tx];
    __syncthreads();
    total += buffer[s % 2][block - 1 - tx];
  }
  out[tx] = total;
}
void run() {
  const Array<int> in(ascending(5 * block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out, 5);
  finish();
}
}  // namespace double_buffer
DETECTOR_CASE(double_buffer, none);

// The next step's elements go to the buffer that this step reads.
namespace double_buffer_on_the_wrong_side {
__global__ void kernel(const int* in, int* out, int steps) {
  __shared__ int buffer[2][block];
  const int tx = threadIdx.x;
  buffer[0][tx] = in[tx];
  __syncthreads();
  int total = 0;
  for (int s = 1; s < steps; ++s) {
    buffer[(s - 1) % 2][tx] = in[s * block + tx];  // A
    total += buffer[(s - 1) % 2][block - 1 - tx];  // B
    __syncthreads();
  }
  out[tx] = total;
}
void run() {
  const Array<int> in(ascending(2 * block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out, 2);
  finish();
}
}  // namespace double_buffer_on_the_wrong_side
DETECTOR_CASE(double_buffer_on_the_wrong_side, shared_race);

namespace reduction {
__global__ void kernel(const int* in, int* out) {
  __shared__ int partial[block];
  const int tx = threadIdx.x;
  partial[tx] = in[tx];
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    if (tx < half) partial[tx] += partial[tx + half];
    __syncthreads();
  }
  out[tx] = partial[0];
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace reduction
DETECTOR_CASE(reduction, none);

// Every step needs the step before to be complete.
namespace reduction_without_barrier_in_loop {
__global__ void kernel(const int* in, int* out) {
  __shared__ int partial[block];
  const int tx = threadIdx.x;
  partial[tx] = in[tx];
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    if (tx < half) partial[tx] += partial[tx + half];  // A B
  }
  if (tx == 0) out[0] = partial[0];
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(1);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace reduction_without_barrier_in_loop
DETECTOR_CASE(reduction_without_barrier_in_loop, shared_race);

// The barrier at the head of the loop orders the steps, but not the sum and its readers.
namespace reduction_without_last_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ int partial[block];
  const int tx = threadIdx.x;
  partial[tx] = in[tx];
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (tx < half) partial[tx] += partial[tx + half];  // A
  }
  out[tx] = partial[0];  // B
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace reduction_without_last_barrier
DETECTOR_CASE(reduction_without_last_barrier, shared_race);

// A running sum in one buffer: reads and writes of a step need a barrier between them.
namespace running_sum_with_one_barrier {
__global__ void kernel(int* data) {
  __shared__ int sums[block];
  const int tx = threadIdx.x;
  sums[tx] = data[tx];
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const int left = tx >= distance ? sums[tx - distance] : 0;  // B
    sums[tx] += left;                                           // A
    __syncthreads();
  }
  data[tx] = sums[tx];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace running_sum_with_one_barrier
DETECTOR_CASE(running_sum_with_one_barrier, shared_race);

namespace running_sum_with_two_barriers {
__global__ void kernel(int* data) {
  __shared__ int sums[block];
  const int tx = threadIdx.x;
  sums[tx] = data[tx];
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const int left = tx >= distance ? sums[tx - distance] : 0;
    __syncthreads();
    sums[tx] += left;
    __syncthreads();
  }
  data[tx] = sums[tx];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace running_sum_with_two_barriers
DETECTOR_CASE(running_sum_with_two_barriers, none);

// One thread's value for all.
namespace broadcast {
__global__ void kernel(const int* in, int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = in[0];
  __syncthreads();
  out[threadIdx.x] = value;
}
void run() {
  const Array<int> in(1, 7);
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace broadcast
DETECTOR_CASE(broadcast, none);

// The next value is stored while slower threads still read the last one.
namespace broadcast_in_loop_with_one_barrier {
__global__ void kernel(const int* in, int* out, int count) {
  __shared__ int value;
  int total = 0;
  for (int k = 0; k < count; ++k) {
    if (threadIdx.x == 0) value = in[k];  // A
    __syncthreads();
    total += value;  // B
  }
  out[threadIdx.x] = total;
}
void run() {
  const Array<int> in(ascending(4));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out, 4);
  finish();
}
}  // namespace broadcast_in_loop_with_one_barrier
DETECTOR_CASE(broadcast_in_loop_with_one_barrier, shared_race);

// Threads of each pair swap their elements of the tile, both of them.
namespace transpose_in_place_by_all {
__global__ void kernel(int* data) {
  __shared__ int tile[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = data[y * 8 + x];
  __syncthreads();
  const int mine = tile[y][x];  // B
  tile[x][y] = mine;            // A
  __syncthreads();
  data[y * 8 + x] = tile[y][x];
}
void run() {
  const Array<int> data(ascending(64));
  kernel<<<1, dim3(8, 8)>>>(data);
  finish();
}
}  // namespace transpose_in_place_by_all
DETECTOR_CASE(transpose_in_place_by_all, shared_race);

// One thread of each pair swaps.
namespace transpose_in_place_by_half {
__global__ void kernel(int* data) {
  __shared__ int tile[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = data[y * 8 + x];
  __syncthreads();
  if (x < y) {
    const int mine = tile[y][x];
    tile[y][x] = tile[x][y];
    tile[x][y] = mine;
  }
  __syncthreads();
  data[y * 8 + x] = tile[y][x];
}
void run() {
  const Array<int> data(ascending(64));
  kernel<<<1, dim3(8, 8)>>>(data);
  finish();
}
}  // namespace transpose_in_place_by_half
DETECTOR_CASE(transpose_in_place_by_half, none);

// The data decide where threads write: here two of them write to the same place.
namespace places_from_data_twice {
__global__ void kernel(const int* place, int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = -1;
  __syncthreads();
  tile[place[threadIdx.x]] = threadIdx.x;  // A B
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  std::vector<int> places = ascending(block);
  places[50] = 3;
  const Array<int> place(places);
  const Array<int> out(block);
  kernel<<<1, block>>>(place, out);
  finish();
}
}  // namespace places_from_data_twice
DETECTOR_CASE(places_from_data_twice, shared_race);

// The same kernel with data in which every place occurs once.
namespace places_from_data_once {
__global__ void kernel(const int* place, int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = -1;
  __syncthreads();
  tile[place[threadIdx.x]] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  std::vector<int> places = ascending(block);
  std::swap(places[50], places[3]);
  const Array<int> place(places);
  const Array<int> out(block);
  kernel<<<1, block>>>(place, out);
  finish();
}
}  // namespace places_from_data_once
DETECTOR_CASE(places_from_data_once, none);

// Only some data lead to the branch with the data race.
namespace race_under_a_branch {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = in[tx];
  __syncthreads();
  if (in[0] > 0) tile[(tx + 1) % block] += 1;  // A
  out[tx] = tile[tx];                          // B
}
void run() {
  const Array<int> in(block, 1);
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace race_under_a_branch
DETECTOR_CASE(race_under_a_branch, shared_race);

// The data race of the case above does not happen with these data.
namespace race_under_a_branch_not_taken {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = in[tx];
  __syncthreads();
  if (in[0] > 0) tile[(tx + 1) % block] += 1;
  out[tx] = tile[tx];
}
void run() {
  const Array<int> in(block, 0);
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace race_under_a_branch_not_taken
DETECTOR_CASE(race_under_a_branch_not_taken, none);

// Only the first and the last warp share data. Those between do not touch it.
namespace race_of_distant_warps {
__global__ void kernel(int* out) {
  __shared__ int tile[256];
  const int tx = threadIdx.x;
  tile[tx] = tx;  // A
  if (tx >= 224) {
    out[tx] = tile[tx - 224];  // B
  } else {
    out[tx] = tile[tx];
  }
}
void run() {
  const Array<int> out(256);
  kernel<<<1, 256>>>(out);
  finish();
}
}  // namespace race_of_distant_warps
DETECTOR_CASE(race_of_distant_warps, shared_race);

// One warp fills the tile, another uses it, and nothing makes it wait.
namespace producer_and_consumer_warp {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    tile[lane] = in[lane];  // A
  } else {
    out[lane] = tile[lane];  // B
  }
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 64>>>(in, out);
  finish();
}
}  // namespace producer_and_consumer_warp
DETECTOR_CASE(producer_and_consumer_warp, shared_race);

namespace producer_and_consumer_warp_with_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) tile[lane] = in[lane];
  __syncthreads();
  if (threadIdx.x >= 32) out[lane] = tile[lane];
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 64>>>(in, out);
  finish();
}
}  // namespace producer_and_consumer_warp_with_barrier
DETECTOR_CASE(producer_and_consumer_warp_with_barrier, none);

// Every thread that finds something raises the flag. All write the same value.
namespace flag_of_one_value {
__global__ void kernel(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] % 2 == 1) found = 1;  // A B
  __syncthreads();
  out[threadIdx.x] = found;
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace flag_of_one_value
DETECTOR_CASE(flag_of_one_value, note_same_value);

// Every thread that finds something stores what it found. Which one wins is chance.
namespace flag_of_different_values {
__global__ void kernel(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = -1;
  __syncthreads();
  if (in[threadIdx.x] % 2 == 1) found = threadIdx.x;  // A B
  __syncthreads();
  out[threadIdx.x] = found;
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace flag_of_different_values
DETECTOR_CASE(flag_of_different_values, shared_race);

// Neighboring bytes share a word, but they are different places.
namespace neighboring_bytes {
__global__ void kernel(int* out) {
  __shared__ unsigned char bytes[block];
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = bytes[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace neighboring_bytes
DETECTOR_CASE(neighboring_bytes, none);

// A byte and the word that it is a part of.
namespace byte_of_a_word {
__global__ void kernel(int* out) {
  __shared__ int words[block];
  words[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    reinterpret_cast<unsigned char*>(words)[4 * threadIdx.x + 1] = 1;  // A
  } else {
    out[threadIdx.x] = words[threadIdx.x - 32];  // B
  }
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace byte_of_a_word
DETECTOR_CASE(byte_of_a_word, shared_race);

// Fields of one struct, each written by another thread.
namespace fields_of_one_struct {
struct Body {
  int mass;
  int charge;
};
__global__ void kernel(int* out) {
  __shared__ Body bodies[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    bodies[lane].mass = lane;
  } else {
    bodies[lane].charge = -lane;
  }
  __syncthreads();
  out[threadIdx.x] = bodies[lane].mass + bodies[lane].charge;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace fields_of_one_struct
DETECTOR_CASE(fields_of_one_struct, none);

// Four floats are stored as one; another thread reads the last of them.
namespace part_of_a_float4 {
__global__ void kernel(const float4* in, float* out) {
  __shared__ float4 tile[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    tile[lane] = in[lane];  // A
  } else {
    out[lane] = tile[lane].w;  // B
  }
}
void run() {
  const Array<float4> in(32, make_float4(1, 2, 3, 4));
  const Array<float> out(32);
  kernel<<<1, 64>>>(in, out);
  finish();
}
}  // namespace part_of_a_float4
DETECTOR_CASE(part_of_a_float4, shared_race);

// Two arrays are cut out of dynamic shared memory, and the second begins within the first.
namespace dynamic_arrays_overlap {
__global__ void kernel(int* out) {
  extern __shared__ int storage[];
  int* first = storage;
  int* second = storage + block / 2;
  const int tx = threadIdx.x;
  first[tx] = tx;    // A
  second[tx] = -tx;  // B
  __syncthreads();
  out[tx] = first[tx] + second[tx];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block, 2 * block * sizeof(int)>>>(out);
  finish();
}
}  // namespace dynamic_arrays_overlap
DETECTOR_CASE(dynamic_arrays_overlap, shared_race);

namespace dynamic_arrays_apart {
__global__ void kernel(int* out) {
  extern __shared__ int storage[];
  int* first = storage;
  int* second = storage + block;
  const int tx = threadIdx.x;
  first[tx] = tx;
  second[tx] = -tx;
  __syncthreads();
  out[tx] = first[block - 1 - tx] + second[tx];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block, 2 * block * sizeof(int)>>>(out);
  finish();
}
}  // namespace dynamic_arrays_apart
DETECTOR_CASE(dynamic_arrays_apart, none);

// All read the same places; nobody writes after the barrier.
namespace table_read_by_all {
__global__ void kernel(const int* in, int* out) {
  __shared__ int table[16];
  if (threadIdx.x < 16) table[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int total = 0;
  for (int k = 0; k < 16; ++k) total += table[k] + table[threadIdx.x % 16];
  out[threadIdx.x] = total;
}
void run() {
  const Array<int> in(ascending(16));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace table_read_by_all
DETECTOR_CASE(table_read_by_all, none);

// Each thread works in its own slice for as long as it likes.
namespace slice_per_thread {
__global__ void kernel(int* out) {
  __shared__ int slices[block][5];
  const int tx = threadIdx.x;
  for (int k = 0; k < 5; ++k) slices[tx][k] = k * tx;
  for (int k = 1; k < 5; ++k) slices[tx][k] += slices[tx][k - 1];
  out[tx] = slices[tx][4];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace slice_per_thread
DETECTOR_CASE(slice_per_thread, none);

// The slice is one element shorter than what a thread writes.
namespace slices_overlap_by_one {
__global__ void kernel(int* out) {
  __shared__ int slices[4 * block + 1];
  const int tx = threadIdx.x;
  int* slice = slices + 4 * tx;
  for (int k = 0; k < 5; ++k) slice[k] = k * 100 + tx;  // A B
  out[tx] = slice[2];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace slices_overlap_by_one
DETECTOR_CASE(slices_overlap_by_one, shared_race);

// Blocks have their own shared memory.
namespace blocks_use_the_same_tile_name {
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = blockIdx.x;
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(128);
  kernel<<<4, 32>>>(out);
  finish();
}
}  // namespace blocks_use_the_same_tile_name
DETECTOR_CASE(blocks_use_the_same_tile_name, none);

// The threads make as many accesses as their logs hold, and the last ones conflict. Nobody may run
// between the check of a store and the store.
namespace store_that_fills_the_log {
constexpr int accesses = 4096;
__global__ void kernel(int* out, int loads) {
  __shared__ int tile[33];
  tile[threadIdx.x + 1] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < loads; ++i) sum += tile[1 + (threadIdx.x + i) % 32];
  tile[0] = sum + 100 * threadIdx.x;  // A B
  __syncthreads();
  out[threadIdx.x] = tile[0];
}
void run() {
  const Array<int> out(32);
  kernel<<<1, 32>>>(out, accesses - 1);
  finish();
}
}  // namespace store_that_fills_the_log
DETECTOR_CASE(store_that_fills_the_log, shared_race);

// Two threads have written each word. Its first half is not the last one that was written.
namespace first_halves_of_words {
__global__ void kernel(short* out) {
  __shared__ short tile[32];
  tile[threadIdx.x] = threadIdx.x;                // A
  out[threadIdx.x] = tile[2 * threadIdx.x % 32];  // B
}
void run() {
  const Array<short> out(32);
  kernel<<<1, 32>>>(out);
  finish();
}
}  // namespace first_halves_of_words
DETECTOR_CASE(first_halves_of_words, shared_race);

// The same with a barrier: two halves make a word.
namespace halves_make_a_word {
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  auto* halves = reinterpret_cast<short*>(tile);
  halves[threadIdx.x] = threadIdx.x;
  halves[threadIdx.x + 32] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
void run() {
  const Array<int> out(32);
  kernel<<<1, 32>>>(out);
  finish();
}
}  // namespace halves_make_a_word
DETECTOR_CASE(halves_make_a_word, none);

}  // namespace
