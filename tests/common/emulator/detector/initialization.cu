// Reads of memory that nobody has written, and memory that nobody frees.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int n = 50;  // fewer elements than threads

// The tile's last elements are not loaded, but they are added up.
namespace tail_of_a_tile_not_loaded {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  if (threadIdx.x < n) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int total = 0;
  for (int k = 0; k < block; ++k) total += tile[k];  // A
  *out = total;
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(1);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace tail_of_a_tile_not_loaded
DETECTOR_CASE(tail_of_a_tile_not_loaded, uninitialized);

// The tile gets a 0 where there is no element.
namespace tail_of_a_tile_filled {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int total = 0;
  for (int k = 0; k < block; ++k) total += tile[k];
  *out = total;
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(1);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace tail_of_a_tile_filled
DETECTOR_CASE(tail_of_a_tile_filled, none);

// No code of the program writes the variable, which the compiler could take for a constant.
namespace shared_variable_that_no_code_writes {
template <class T>
__global__ void kernel(T* out) {
  __shared__ T scale;
  out[threadIdx.x] = scale * threadIdx.x;  // A
}
void run() {
  const Array<float> out(block);
  kernel<<<1, block>>>(static_cast<float*>(out));
  finish();
}
}  // namespace shared_variable_that_no_code_writes
DETECTOR_CASE(shared_variable_that_no_code_writes, uninitialized);

namespace shared_array_that_no_code_writes {
struct Pair {
  int first, second;
};
__device__ int sum_of(const Pair& pair) {
  return pair.first + pair.second;  // A
}
__global__ void kernel(int* out) {
  __shared__ Pair pairs[2][block];
  out[threadIdx.x] = sum_of(pairs[threadIdx.x % 2][block - 1 - threadIdx.x]);
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace shared_array_that_no_code_writes
DETECTOR_CASE(shared_array_that_no_code_writes, uninitialized);

// The elements that are not loaded are not read either.
namespace tail_of_a_tile_not_read {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  if (threadIdx.x < n) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace tail_of_a_tile_not_read
DETECTOR_CASE(tail_of_a_tile_not_read, none);

// The load of the tile was forgotten.
namespace tile_never_loaded {
__global__ void kernel(int* out) {
  __shared__ int tile[block];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + 1;  // A
  tile[threadIdx.x] = 0;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace tile_never_loaded
DETECTOR_CASE(tile_never_loaded, uninitialized);

// The previous block left its sums, but they are not this block's.
namespace shared_memory_of_the_block_before {
__global__ void kernel(int* out) {
  __shared__ int sums[block];
  if (blockIdx.x == 0) sums[threadIdx.x] = 0;
  sums[threadIdx.x] += 1;  // A
  out[blockIdx.x * block + threadIdx.x] = sums[threadIdx.x];
}
void run() {
  const Array<int> out(3 * block);
  kernel<<<3, block>>>(out);
  finish();
}
}  // namespace shared_memory_of_the_block_before
DETECTOR_CASE(shared_memory_of_the_block_before, uninitialized);

// A counter in shared memory starts without a value.
namespace shared_counter_not_zeroed {
__global__ void kernel(int* out) {
  __shared__ int counter;
  atomicAdd(&counter, 1);  // A
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace shared_counter_not_zeroed
DETECTOR_CASE(shared_counter_not_zeroed, uninitialized);

namespace dynamic_tile_not_loaded {
__global__ void kernel(int* out) {
  extern __shared__ int tile[];
  if (threadIdx.x % 2 == 0) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // A
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block, block * sizeof(int)>>>(out);
  finish();
}
}  // namespace dynamic_tile_not_loaded
DETECTOR_CASE(dynamic_tile_not_loaded, uninitialized);

// cudaMalloc does not clear.
namespace malloc_taken_for_calloc {
__global__ void kernel(int* totals) { totals[threadIdx.x] += threadIdx.x; }  // A
void run() {
  const Array<int> totals(block);
  kernel<<<1, block>>>(totals);
  finish();
}
}  // namespace malloc_taken_for_calloc
DETECTOR_CASE(malloc_taken_for_calloc, uninitialized);

namespace malloc_and_memset {
__global__ void kernel(int* totals) { totals[threadIdx.x] += threadIdx.x; }
void run() {
  const Array<int> totals(block);
  cudaMemset(totals, 0, block * sizeof(int));
  kernel<<<1, block>>>(totals);
  finish();
}
}  // namespace malloc_and_memset
DETECTOR_CASE(malloc_and_memset, none);

// The copy got a number of elements instead of bytes, so most of the array has no value.
namespace copy_of_too_few_bytes {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  const std::vector<int> values = ascending(block);
  const Array<int> in(block);
  const Array<int> out(block);
  cudaMemcpy(in, values.data(), block, cudaMemcpyHostToDevice);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_of_too_few_bytes
DETECTOR_CASE(copy_of_too_few_bytes, uninitialized);

// What one kernel has written, the next may read.
namespace written_by_the_kernel_before {
__global__ void write(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void read(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
void run() {
  const Array<int> data(block);
  const Array<int> out(block);
  write<<<1, block>>>(data);
  read<<<1, block>>>(data, out);
  finish();
}
}  // namespace written_by_the_kernel_before
DETECTOR_CASE(written_by_the_kernel_before, none);

// The previous kernel wrote only where its condition held.
namespace written_by_the_kernel_before_in_part {
__global__ void write(int* data) {
  if (threadIdx.x % 4 != 1) data[threadIdx.x] = threadIdx.x;
}
__global__ void read(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }  // A
void run() {
  const Array<int> data(block);
  const Array<int> out(block);
  write<<<1, block>>>(data);
  read<<<1, block>>>(data, out);
  finish();
}
}  // namespace written_by_the_kernel_before_in_part
DETECTOR_CASE(written_by_the_kernel_before_in_part, uninitialized);

// An array copied from another on the device has its values.
namespace copied_on_the_device {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
void run() {
  const Array<int> original(ascending(block));
  const Array<int> in(block);
  const Array<int> out(block);
  cudaMemcpy(in, original, block * sizeof(int), cudaMemcpyDeviceToDevice);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copied_on_the_device
DETECTOR_CASE(copied_on_the_device, none);

// Three bytes of each word have a value; the fourth is read with them.
namespace three_bytes_of_a_word {
__global__ void write(unsigned char* bytes) {
  for (int k = 0; k < 3; ++k) bytes[4 * threadIdx.x + k] = 1;
}
__global__ void read(const int* words, int* out) { out[threadIdx.x] = words[threadIdx.x]; }  // A
void run() {
  const Array<int> words(block);
  const Array<int> out(block);
  write<<<1, block>>>(reinterpret_cast<unsigned char*>(static_cast<int*>(words)));
  read<<<1, block>>>(words, out);
  finish();
}
}  // namespace three_bytes_of_a_word
DETECTOR_CASE(three_bytes_of_a_word, uninitialized);

// Structs are copied whole, with the bytes between their fields that never get a value.
namespace padding_of_a_struct {
struct Particle {
  char kind;
  int charge;
};
__global__ void write(Particle* particles) {
  particles[threadIdx.x].kind = 1;
  particles[threadIdx.x].charge = -1;
}
__global__ void copy(const Particle* in, Particle* out) { out[threadIdx.x] = in[threadIdx.x]; }
void run() {
  const Array<Particle> in(block);
  const Array<Particle> out(block);
  write<<<1, block>>>(in);
  copy<<<1, block>>>(in, out);
  finish();
}
}  // namespace padding_of_a_struct
DEBATABLE_CASE(padding_of_a_struct, none,
               "no value is missing; a detector sees a read of bytes never written if the compiler "
               "copies the struct as 8 bytes, and not if it copies field by field");

// The array is not freed.
namespace array_not_freed {
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }
void run() {
  int* out = nullptr;
  cudaMalloc(&out, block * sizeof(int));
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace array_not_freed
DETECTOR_CASE(array_not_freed, leak);

// The array is freed, early or late.
namespace array_freed {
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }
void run() {
  int* out = nullptr;
  cudaMalloc(&out, block * sizeof(int));
  kernel<<<1, block>>>(out);
  cudaFree(out);
  finish();
}
}  // namespace array_freed
DETECTOR_CASE(array_freed, none);

// Some constants have their values from the beginning, others get them from the host.
namespace constants_of_both_kinds {
__constant__ int factor = 3;
__constant__ const int steps[4] = {1, 2, 3, 4};
static __constant__ constexpr int first = 7;
__constant__ const int* unused = nullptr;
__global__ void kernel(int* out) {
  out[threadIdx.x] = first + factor * steps[threadIdx.x % 4] + (unused != nullptr);
}
void run() {
  const int two = 2;
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace constants_of_both_kinds
DETECTOR_CASE(constants_of_both_kinds, none);

struct Mixed {
  char letter;
  double value;
  short number;
};

// Nobody writes the bytes between the members, but whole objects are copied.
namespace padding_between_members {
__global__ void make(Mixed* all) {
  all[threadIdx.x].letter = 'a';
  all[threadIdx.x].value = threadIdx.x;
  all[threadIdx.x].number = 7;
}
__global__ void kernel(const Mixed* in, Mixed* out) {
  __shared__ Mixed tile[block];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<Mixed> first(block), second(block);
  make<<<1, block>>>(first);
  kernel<<<1, block>>>(first, second);
  finish();
  static_cast<void>(first.values());
  static_cast<void>(second.values());
}
}  // namespace padding_between_members
#ifdef __clang__
DEBATABLE_CASE(padding_between_members, none, "clang++ does not say where padding is");
#else
DETECTOR_CASE(padding_between_members, none);
#endif

// A member is left out.
namespace member_never_set {
__global__ void make(Mixed* all) {
  all[threadIdx.x].letter = 'a';
  all[threadIdx.x].number = 7;
}
__global__ void kernel(const Mixed* in, double* out) {
  out[threadIdx.x] = in[threadIdx.x].value;  // A
}
void run() {
  const Array<Mixed> all(block);
  const Array<double> out(block);
  make<<<1, block>>>(all);
  kernel<<<1, block>>>(all, out);
  finish();
}
}  // namespace member_never_set
DETECTOR_CASE(member_never_set, uninitialized);

// The padding of memory that was freed and allocated again as another type is data.
namespace padding_of_earlier_objects {
__global__ void make(Mixed* all) { all[threadIdx.x].letter = 'a'; }
__global__ void kernel(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // A
}
void run() {
  Mixed* all = nullptr;
  cudaMalloc(&all, block * sizeof(Mixed));
  make<<<1, block>>>(all);
  cudaFree(all);
  float* in = nullptr;
  cudaMalloc(&in, block * sizeof(Mixed));
  const Array<float> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
  cudaFree(in);
}
}  // namespace padding_of_earlier_objects
DETECTOR_CASE(padding_of_earlier_objects, uninitialized);

struct Measured {
  char kind;
  int value;
  short count;
};

// The members are written one by one, and all of the object is read.
namespace shared_objects_with_padding {
__global__ void kernel(const Measured* in, Measured* out) {
  __shared__ Measured tile[32];
  Measured& own = tile[threadIdx.x];
  own.kind = in[threadIdx.x].kind;
  own.value = in[threadIdx.x].value;
  own.count = in[threadIdx.x].count;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
void run() {
  const Array<Measured> in(std::vector<Measured>(32)), out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shared_objects_with_padding
DETECTOR_CASE(shared_objects_with_padding, none);

// One member is missing.
namespace shared_objects_without_a_member {
__global__ void kernel(const Measured* in, Measured* out) {
  __shared__ Measured tile[32];
  Measured& own = tile[threadIdx.x];
  own.kind = in[threadIdx.x].kind;
  own.count = in[threadIdx.x].count;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];  // A
}
void run() {
  const Array<Measured> in(std::vector<Measured>(32)), out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shared_objects_without_a_member
DETECTOR_CASE(shared_objects_without_a_member, uninitialized);

struct Best {
  int index;
  double value;
};

// Between the members is a word of padding, which an assignment of the object reads.
namespace best_of_a_static_tile {
__global__ void kernel(const double* in, Best* out) {
  __shared__ Best other[2], best[block];
  best[threadIdx.x].index = threadIdx.x;
  best[threadIdx.x].value = in[threadIdx.x];
  __syncthreads();
  for (unsigned half = block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && best[threadIdx.x + half].value > best[threadIdx.x].value) {
      best[threadIdx.x] = best[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    other[1].index = 1;
    other[1].value = 2;
    out[0] = best[0];
    out[1] = other[1];
  }
}
void run() {
  const Array<double> in(block, 0.0);
  const Array<Best> out(2);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace best_of_a_static_tile
#ifdef __clang__
DEBATABLE_CASE(best_of_a_static_tile, none, "clang++ does not say where padding is");
#else
DETECTOR_CASE(best_of_a_static_tile, none);
#endif

namespace best_of_a_dynamic_tile {
__global__ void kernel(const double* in, Best* out) {
  extern __shared__ Best bests[];
  bests[threadIdx.x] = {static_cast<int>(threadIdx.x), in[threadIdx.x]};
  __syncthreads();
  out[threadIdx.x] = bests[block - 1 - threadIdx.x];
}
void run() {
  const Array<double> in(block, 0.0);
  const Array<Best> out(block);
  kernel<<<1, block, block * sizeof(Best)>>>(in, out);
  finish();
}
}  // namespace best_of_a_dynamic_tile
#ifdef __clang__
DEBATABLE_CASE(best_of_a_dynamic_tile, none, "clang++ does not say where padding is");
#else
DETECTOR_CASE(best_of_a_dynamic_tile, none);
#endif

// In another kernel the dynamic array has no padding.
namespace dynamic_tile_after_one_with_padding {
__global__ void kernel_with_padding(int* out) {
  extern __shared__ Best bests[];
  bests[threadIdx.x].index = threadIdx.x;
  out[threadIdx.x] = bests[threadIdx.x].index;
}
__global__ void kernel(int* out) {
  extern __shared__ int numbers[];
  numbers[2 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = numbers[threadIdx.x];  // A
}
void run() {
  const Array<int> out(block);
  kernel_with_padding<<<1, block, block * sizeof(Best)>>>(out);
  kernel<<<1, block, block * sizeof(Best)>>>(out);
  finish();
}
}  // namespace dynamic_tile_after_one_with_padding
DETECTOR_CASE(dynamic_tile_after_one_with_padding, uninitialized);

namespace best_without_a_value {
__global__ void kernel(Best* out) {
  __shared__ Best best[block];
  best[threadIdx.x].index = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = best[block - 1 - threadIdx.x];  // A
}
void run() {
  const Array<Best> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace best_without_a_value
DETECTOR_CASE(best_without_a_value, uninitialized);

// A lane waits for another of its warp, which writes first. Either branch may be the first in the
// machine code.
namespace lane_reads_after_a_signal {
__device__ void write(int* data, int* flag) {
  data[0] = 5;
  __threadfence();
  atomicExch(flag, 1);
}
__device__ void read(int* data, int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
  data[1] = ++data[0];
}
__global__ void kernel(int* data, int* flag) {
  if (threadIdx.x == 0) {
    write(data, flag);
  } else {
    read(data, flag);
  }
}
__global__ void other_kernel(int* data, int* flag) {
  if (threadIdx.x == 1) {
    read(data, flag);
  } else {
    write(data, flag);
  }
}
void run() {
  for (const auto one : {kernel, other_kernel}) {
    const Array<int> data(2);
    const Array<int> flag(1, 0);
    one<<<1, 2>>>(data, flag);
    finish();
  }
}
}  // namespace lane_reads_after_a_signal
DETECTOR_CASE(lane_reads_after_a_signal, none);

// The other lane writes only after it has heard that the first one has read.
namespace lane_reads_before_a_signal {
__global__ void kernel(int* data, int* flag) {
  if (threadIdx.x == 1) {
    data[1] = data[0];  // A
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[0] = 5;
    __threadfence();
    atomicExch(flag, 2);
  }
}
void run() {
  const Array<int> data(2);
  const Array<int> flag(1, 0);
  kernel<<<1, 2>>>(data, flag);
  finish();
}
}  // namespace lane_reads_before_a_signal
DETECTOR_CASE(lane_reads_before_a_signal, uninitialized);

// The lanes of a warp take turns at a tile that the first one fills.
namespace lanes_share_what_the_first_one_sets {
__global__ void kernel(int* out) {
  __shared__ int lock, sum, is_set;
  if (threadIdx.x == 0) lock = is_set = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  if (is_set == 0) sum = 0;
  is_set = 1;
  sum += 1;
  *out = sum;
  __threadfence_block();
  atomicExch(&lock, 0);
}
void run() {
  const Array<int> out(1);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace lanes_share_what_the_first_one_sets
DETECTOR_CASE(lanes_share_what_the_first_one_sets, none);

// The first one forgets to fill it.
namespace lanes_share_what_nobody_sets {
__global__ void kernel(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  sum += 1;  // A
  *out = sum;
  __threadfence_block();
  atomicExch(&lock, 0);
}
void run() {
  const Array<int> out(1);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace lanes_share_what_nobody_sets
DETECTOR_CASE(lanes_share_what_nobody_sets, uninitialized);

}  // namespace
