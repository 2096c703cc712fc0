// Accesses outside of what is allocated, and at misaligned addresses.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int n = 100;  // not a multiple of a block
constexpr int grid = (n + block - 1) / block;

// The last block has more threads than elements left.
namespace tail_without_guard {
__global__ void kernel(int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  out[i] = i;  // A
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace tail_without_guard
DETECTOR_CASE(tail_without_guard, out_of_bounds);

namespace tail_with_guard {
__global__ void kernel(int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = i;
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace tail_with_guard
DETECTOR_CASE(tail_with_guard, none);

// The guard lets one thread too many through.
namespace guard_off_by_one {
__global__ void kernel(int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i <= n) out[i] = i;  // A
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace guard_off_by_one
DETECTOR_CASE(guard_off_by_one, out_of_bounds);

// Element 0 has no left neighbor.
namespace left_neighbor_of_the_first {
__global__ void kernel(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = in[i] - in[i - 1];  // A
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace left_neighbor_of_the_first
DETECTOR_CASE(left_neighbor_of_the_first, out_of_bounds);

// The last element has no right neighbor.
namespace right_neighbor_of_the_last {
__global__ void kernel(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = in[i + 1] - in[i];  // A
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace right_neighbor_of_the_last
DETECTOR_CASE(right_neighbor_of_the_last, out_of_bounds);

namespace neighbors_with_guards {
__global__ void kernel(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  const int left = i > 0 ? in[i - 1] : 0;
  const int right = i + 1 < n ? in[i + 1] : 0;
  out[i] = right - left;
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace neighbors_with_guards
DETECTOR_CASE(neighbors_with_guards, none);

// One thread stores very far behind the array, where nothing is mapped.
namespace store_far_away {
__global__ void kernel(int* out, long long distance) {
  if (threadIdx.x == 5) out[distance] = 1;  // A
}
void run() {
  const Array<int> out(n);
  kernel<<<1, block>>>(out, 1ll << 38);
  finish();
}
}  // namespace store_far_away
DETECTOR_CASE(store_far_away, out_of_bounds);

namespace load_far_before_the_array {
__global__ void kernel(const int* in, int* out, int begin) {
  out[threadIdx.x] = in[begin + static_cast<int>(threadIdx.x)];  // A
}
void run() {
  const Array<int> in(64, 0), out(64);
  kernel<<<1, 64>>>(in, out, -(1 << 24));
  finish();
}
}  // namespace load_far_before_the_array
DETECTOR_CASE(load_far_before_the_array, out_of_bounds);

namespace load_far_behind_the_array {
__global__ void kernel(const int* in, int* out, long begin) {
  out[threadIdx.x] = in[begin + threadIdx.x];  // A
}
void run() {
  const Array<int> in(64, 0), out(64);
  kernel<<<1, 64>>>(in, out, long{1} << 34);
  finish();
}
}  // namespace load_far_behind_the_array
DETECTOR_CASE(load_far_behind_the_array, out_of_bounds);

namespace store_to_null {
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }  // A
void run() {
  kernel<<<1, block>>>(nullptr);
  finish();
}
}  // namespace store_to_null
DETECTOR_CASE(store_to_null, out_of_bounds);

// The array was freed before the launch.
namespace use_after_free {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  int* in = nullptr;
  cudaMalloc(&in, block * sizeof(int));
  cudaMemset(in, 0, block * sizeof(int));
  const Array<int> out(block);  // before, so that it does not reuse the freed memory
  cudaFree(in);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace use_after_free
DETECTOR_CASE(use_after_free, out_of_bounds);

// An array of the same size was allocated since then.
namespace use_after_free_and_allocation {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  int* in = nullptr;
  cudaMalloc(&in, block * sizeof(int));
  cudaMemset(in, 0, block * sizeof(int));
  cudaFree(in);
  const Array<int> other(std::vector<int>(block, 1)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace use_after_free_and_allocation
DETECTOR_CASE(use_after_free_and_allocation, out_of_bounds);

// Rows and columns are mixed up where a matrix is not square.
namespace rows_and_columns_swapped {
constexpr int width = 16;
constexpr int height = 4;
__global__ void kernel(int* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[x * width + y] = 1;  // A
}
void run() {
  const Array<int> out(width * height);
  kernel<<<1, dim3(width, height)>>>(out);
  finish();
}
}  // namespace rows_and_columns_swapped
DETECTOR_CASE(rows_and_columns_swapped, out_of_bounds);

// The number of elements was passed as the number of bytes.
namespace bytes_taken_for_elements {
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }  // A
void run() {
  int* out = nullptr;
  cudaMalloc(&out, block);
  kernel<<<1, block>>>(out);
  finish();
  cudaFree(out);
}
}  // namespace bytes_taken_for_elements
DETECTOR_CASE(bytes_taken_for_elements, out_of_bounds);

// The last float4 begins within the array and ends outside.
namespace float4_over_the_end {
__global__ void kernel(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  const Array<float> in(4 * 32 - 2, 1.0f);
  const Array<float4> out(32);
  kernel<<<1, 32>>>(reinterpret_cast<const float4*>(static_cast<float*>(in)), out);
  finish();
}
}  // namespace float4_over_the_end
DETECTOR_CASE(float4_over_the_end, out_of_bounds);

// The tile has one element per thread, and the last thread reads one beyond.
namespace shared_one_past_the_end {
__global__ void kernel(int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1];  // A
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace shared_one_past_the_end
DETECTOR_CASE(shared_one_past_the_end, out_of_bounds);

// The first thread writes before the tile.
namespace shared_before_the_front {
__global__ void kernel(int* out, int halo) {
  __shared__ int tile[block];
  tile[static_cast<int>(threadIdx.x) - halo] = threadIdx.x;  // A
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out, 1);
  finish();
}
}  // namespace shared_before_the_front
DETECTOR_CASE(shared_before_the_front, out_of_bounds);

namespace shared_far_away {
__global__ void kernel(int* out, int distance) {
  __shared__ int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 7) tile[distance] = 1;  // A
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out, 1 << 24);
  finish();
}
}  // namespace shared_far_away
DETECTOR_CASE(shared_far_away, out_of_bounds);

// The first array's index runs into the second. Both are the block's, but it is the wrong array.
namespace shared_into_the_next_array {
__global__ void kernel(int* out, int last) {
  __shared__ int first[32];
  __shared__ int second[32];
  if (threadIdx.x < 32) second[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x <= last) first[threadIdx.x] = 1;  // A
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
void run() {
  const Array<int> out(32);
  kernel<<<1, block>>>(out, 32);
  finish();
}
}  // namespace shared_into_the_next_array
DEBATABLE_CASE(shared_into_the_next_array, out_of_bounds,
               "the address belongs to the block's shared memory; only a detector that knows each "
               "variable's place sees it, and the order of variables is the compiler's");

// The launch asks for less dynamic shared memory than the kernel uses.
namespace dynamic_shared_too_small {
__global__ void kernel(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;  // A
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block, block>>>(out);
  finish();
}
}  // namespace dynamic_shared_too_small
DETECTOR_CASE(dynamic_shared_too_small, out_of_bounds);

namespace shared_with_halo {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block + 2];
  const int tx = threadIdx.x;
  tile[tx + 1] = in[tx];
  if (tx == 0) tile[0] = 0;
  if (tx == block - 1) tile[block + 1] = 0;
  __syncthreads();
  out[tx] = tile[tx] + tile[tx + 2];
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace shared_with_halo
DETECTOR_CASE(shared_with_halo, none);

// A float4 is read at an address that is only aligned for a float.
namespace float4_at_a_floats_address {
__global__ void kernel(const float* in, float4* out) {
  out[threadIdx.x] = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x + 1);  // A
}
void run() {
  const Array<float> in(4 * 32 + 4, 1.0f);
  const Array<float4> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace float4_at_a_floats_address
DETECTOR_CASE(float4_at_a_floats_address, misaligned);

namespace float4_at_a_float4s_address {
__global__ void kernel(const float* in, float4* out) {
  out[threadIdx.x] = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x + 4);
}
void run() {
  const Array<float> in(4 * 32 + 4, 1.0f);
  const Array<float4> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace float4_at_a_float4s_address
DETECTOR_CASE(float4_at_a_float4s_address, none);

// An int is stored at an odd byte of shared memory.
namespace int_at_an_odd_byte_of_shared {
__global__ void kernel(int* out, int offset) {
  __shared__ int words[2 * block];
  words[threadIdx.x] = 0;
  words[threadIdx.x + block] = 0;
  __syncthreads();
  char* bytes = reinterpret_cast<char*>(words);
  *reinterpret_cast<int*>(bytes + 4 * threadIdx.x + offset) = 1;  // A
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out, 2);
  finish();
}
}  // namespace int_at_an_odd_byte_of_shared
DETECTOR_CASE(int_at_an_odd_byte_of_shared, misaligned);

// A double in an array of ints, every second of which is aligned for a double.
namespace double_at_an_ints_address {
__global__ void kernel(const int* in, double* out) {
  out[threadIdx.x] = *reinterpret_cast<const double*>(in + threadIdx.x);  // A
}
void run() {
  const Array<int> in(33, 0);
  const Array<double> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace double_at_an_ints_address
DETECTOR_CASE(double_at_an_ints_address, misaligned);

}  // namespace
