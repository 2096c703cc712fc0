// Asynchronous copies, pipelines and barriers of some threads, with and without a mistake.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

#include "cases.h"

namespace {

namespace cg = cooperative_groups;
using tilelab::detector::ascending;
using tilelab::detector::finish;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int block = 64;

// Each thread waits for its copies before the block meets.
namespace copy_waits_then_meets {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_waits_then_meets
DETECTOR_CASE(copy_waits_then_meets, none);

// The block meets, but nobody has waited for the copies.
namespace copy_without_wait {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // A
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_without_wait
DETECTOR_CASE(copy_without_wait, shared_race);

// The thread reads only its own element, and does not wait for it.
namespace own_copy_without_wait {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // A
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace own_copy_without_wait
DETECTOR_CASE(own_copy_without_wait, shared_race);

// Each thread waits for its own copies only, and reads another one's.
namespace copy_waits_without_meeting {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // A
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_waits_without_meeting
DETECTOR_CASE(copy_waits_without_meeting, shared_race);

// Two stages, of which one may still be under way: the wait leaves out the wrong one.
namespace copy_waits_for_the_wrong_stage {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ int tile[2][block];
  const int tx = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][tx], &in[tx], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < batches; ++i) {
    if (i + 1 < batches) {
      const int* next = in + (i + 1) * block;
      __pipeline_memcpy_async(&tile[(i + 1) % 2][tx], &next[tx], sizeof(int));  // A
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i * block + tx] = tile[i % 2][block - 1 - tx];  // B
    __syncthreads();
  }
}
void run() {
  const Array<int> in(ascending(4 * block)), out(4 * block);
  kernel<<<1, block>>>(in, out, 4);
  finish();
}
}  // namespace copy_waits_for_the_wrong_stage
DETECTOR_CASE(copy_waits_for_the_wrong_stage, shared_race);

// The same with the right wait.
namespace copy_waits_for_each_stage {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ int tile[2][block];
  const int tx = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][tx], &in[tx], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < batches; ++i) {
    if (i + 1 < batches) {
      __pipeline_memcpy_async(&tile[(i + 1) % 2][tx], &in[(i + 1) * block + tx], sizeof(int));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i * block + tx] = tile[i % 2][block - 1 - tx];
    __syncthreads();
  }
}
void run() {
  const Array<int> in(ascending(4 * block)), out(4 * block);
  kernel<<<1, block>>>(in, out, 4);
  finish();
}
}  // namespace copy_waits_for_each_stage
DETECTOR_CASE(copy_waits_for_each_stage, none);

// The buffer is filled again while other threads still read it.
namespace copy_into_a_buffer_in_use {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  for (int i = 0; i < batches; ++i) {
    cg::memcpy_async(group, tile, in + i * block, sizeof tile);  // A
    cg::wait(group);
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace copy_into_a_buffer_in_use
DETECTOR_CASE(copy_into_a_buffer_in_use, shared_race);

// A barrier between the reads and the next copy.
namespace copy_into_a_free_buffer {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  for (int i = 0; i < batches; ++i) {
    cg::memcpy_async(group, tile, in + i * block, sizeof tile);
    cg::wait(group);
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
    group.sync();
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace copy_into_a_free_buffer
DETECTOR_CASE(copy_into_a_free_buffer, none);

// The thread changes what its copy still reads.
namespace copy_source_changes {
__global__ void kernel(int* data, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &data[threadIdx.x], sizeof(int));  // A
  __pipeline_commit();
  data[threadIdx.x] = 0;  // B
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> data(ascending(block)), out(block);
  kernel<<<1, block>>>(data, out);
  finish();
}
}  // namespace copy_source_changes
DETECTOR_CASE(copy_source_changes, global_race);

// A copy of memory that nobody has written.
namespace copy_of_unwritten_memory {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // A
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> in(block), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_of_unwritten_memory
DETECTOR_CASE(copy_of_unwritten_memory, uninitialized);

// A copy past the end of the array.
namespace copy_out_of_bounds {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  cg::memcpy_async(group, tile, in + 1, sizeof tile);  // A
  cg::wait(group);
  out[threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_out_of_bounds
DETECTOR_CASE(copy_out_of_bounds, out_of_bounds);

// A barrier that counts arrivals orders the block as __syncthreads() does.
namespace barrier_object_waits {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[block];
  if (threadIdx.x == 0) init(&barrier, block);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = in[i * block + threadIdx.x];
    barrier.arrive_and_wait();
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_waits
DETECTOR_CASE(barrier_object_waits, none);

// The threads arrive and do not wait.
namespace barrier_object_without_wait {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[block];
  if (threadIdx.x == 0) init(&barrier, block);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];  // A
  Barrier::arrival_token token = barrier.arrive();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
  barrier.wait(std::move(token));
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_without_wait
DETECTOR_CASE(barrier_object_without_wait, shared_race);

// The threads store after they have arrived.
namespace store_after_arrival {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[block];
  if (threadIdx.x == 0) init(&barrier, block);
  __syncthreads();
  Barrier::arrival_token token = barrier.arrive();
  tile[threadIdx.x] = in[threadIdx.x];  // A
  barrier.wait(std::move(token));
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace store_after_arrival
DETECTOR_CASE(store_after_arrival, shared_race);

// One warp fills two buffers, the other one empties them.
namespace warps_take_turns {
__global__ void kernel(const int* in, int* out, int rounds) {
  __shared__ Barrier empty[2], full[2];
  __shared__ int tiles[2][32];
  if (threadIdx.x < 2) {
    init(&empty[threadIdx.x], block);
    init(&full[threadIdx.x], block);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < rounds; ++i) {
      empty[i % 2].arrive_and_wait();
      tiles[i % 2][lane] = in[32 * i + lane];
      Barrier::arrival_token token = full[i % 2].arrive();
    }
  } else {
    Barrier::arrival_token first = empty[0].arrive();
    Barrier::arrival_token second = empty[1].arrive();
    for (int i = 0; i < rounds; ++i) {
      full[i % 2].arrive_and_wait();
      out[32 * i + lane] = tiles[i % 2][31 - lane];
      if (i + 2 < rounds) Barrier::arrival_token token = empty[i % 2].arrive();
    }
  }
}
void run() {
  const Array<int> in(ascending(32 * 7)), out(32 * 7);
  kernel<<<1, block>>>(in, out, 7);
  finish();
}
}  // namespace warps_take_turns
DETECTOR_CASE(warps_take_turns, none);

// The consumer says that the buffer is empty before it has read it.
namespace buffer_released_too_early {
__global__ void kernel(const int* in, int* out, int rounds) {
  __shared__ Barrier empty, full;
  __shared__ int tile[32];
  if (threadIdx.x == 0) {
    init(&empty, block);
    init(&full, block);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < rounds; ++i) {
      if (i > 0) empty.arrive_and_wait();
      tile[lane] = in[32 * i + lane];  // A
      Barrier::arrival_token token = full.arrive();
    }
  } else {
    for (int i = 0; i < rounds; ++i) {
      full.arrive_and_wait();
      if (i + 1 < rounds) Barrier::arrival_token token = empty.arrive();
      out[32 * i + lane] = tile[31 - lane];  // B
    }
  }
}
void run() {
  const Array<int> in(ascending(32 * 5)), out(32 * 5);
  kernel<<<1, block>>>(in, out, 5);
  finish();
}
}  // namespace buffer_released_too_early
DETECTOR_CASE(buffer_released_too_early, shared_race);

// Copies that a barrier waits for.
namespace barrier_object_waits_for_copies {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ Barrier barrier;
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, block);
  group.sync();
  for (int i = 0; i < batches; ++i) {
    cuda::memcpy_async(group, tile, in + i * block, sizeof tile, barrier);
    barrier.arrive_and_wait();
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace barrier_object_waits_for_copies
DETECTOR_CASE(barrier_object_waits_for_copies, none);

// The copy belongs to one barrier, and the threads wait at another one.
namespace wait_at_the_wrong_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier one, other;
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  if (threadIdx.x == 0) {
    init(&one, block);
    init(&other, block);
  }
  group.sync();
  cuda::memcpy_async(group, tile, in, sizeof tile, one);  // A
  other.arrive_and_wait();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
  one.arrive_and_wait();
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace wait_at_the_wrong_barrier
DETECTOR_CASE(wait_at_the_wrong_barrier, shared_race);

// The threads start their copies after they have arrived.
namespace copy_after_arrival {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[block];
  if (threadIdx.x == 0) init(&barrier, block);
  __syncthreads();
  Barrier::arrival_token token = barrier.arrive();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);  // A
  barrier.wait(std::move(token));
  out[threadIdx.x] = in[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace copy_after_arrival
DETECTOR_CASE(copy_after_arrival, misused_barrier);

// __syncwarp() orders the initialization and the first use.
namespace barrier_object_ready_in_its_warp {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 32);
  __syncwarp();
  if (threadIdx.x >= 32) return;
  barrier.arrive_and_wait();
  out[threadIdx.x] = in[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_ready_in_its_warp
DETECTOR_CASE(barrier_object_ready_in_its_warp, none);

// The same without __syncwarp(): which thread comes first is a matter of chance.
namespace barrier_object_without_order {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, block);
  __shfl_sync(0xffffffff, 1, 0);  // takes time, but orders no memory
  for (int i = 0; i < 2; ++i) __all_sync(0xffffffff, 1);
  if (threadIdx.x < 32) {
    barrier.arrive_and_drop();  // A
  }
  out[threadIdx.x] = in[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_without_order
DETECTOR_CASE(barrier_object_without_order, misused_barrier);

// The barrier is initialized for each round.
namespace barrier_object_initialized_twice {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) init(&barrier, block);  // A
    __syncthreads();
    barrier.arrive_and_wait();
    out[i * block + threadIdx.x] = in[i * block + threadIdx.x];
    __syncthreads();
  }
}
void run() {
  const Array<int> in(ascending(2 * block)), out(2 * block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_initialized_twice
DETECTOR_CASE(barrier_object_initialized_twice, misused_barrier);

// There is one barrier for each warp, and the block has one warp more.
namespace barrier_object_outside_of_its_array {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barriers[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    init(&barriers[warp], 32);  // A
  }
  __syncthreads();
  barriers[warp].arrive_and_wait();
  out[threadIdx.x] = in[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(96)), out(96);
  kernel<<<1, 96>>>(in, out);
  finish();
}
}  // namespace barrier_object_outside_of_its_array
DETECTOR_CASE(barrier_object_outside_of_its_array, misused_barrier);

// The array begins where the barrier is.
namespace barrier_object_under_an_array {
__global__ void kernel(const int* in, int* out) {
  extern __shared__ __align__(8) unsigned char bytes[];
  Barrier* const barrier = reinterpret_cast<Barrier*>(bytes);
  int* const tile = reinterpret_cast<int*>(bytes);
  if (threadIdx.x == 0) init(barrier, block);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  barrier->arrive_and_wait();  // A
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block, block * sizeof(int)>>>(in, out);
  finish();
}
}  // namespace barrier_object_under_an_array
DETECTOR_CASE(barrier_object_under_an_array, misused_barrier);

// Memory that an array had before, and has again when nobody uses the barrier any more.
namespace barrier_object_between_arrays {
__global__ void kernel(const int* in, int* out) {
  extern __shared__ __align__(8) unsigned char bytes[];
  Barrier* const barrier = reinterpret_cast<Barrier*>(bytes);
  int* const tile = reinterpret_cast<int*>(bytes);
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int before = tile[block - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) init(barrier, block);
  __syncthreads();
  barrier->arrive_and_wait();
  __syncthreads();
  if (threadIdx.x == 0) (&*barrier)->~barrier();
  __syncthreads();
  tile[threadIdx.x] = before;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block, block * sizeof(int)>>>(in, out);
  finish();
}
}  // namespace barrier_object_between_arrays
DETECTOR_CASE(barrier_object_between_arrays, none);

// The barrier's life ends before it is initialized again.
namespace barrier_object_initialized_anew {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) init(&barrier, block);
    __syncthreads();
    barrier.arrive_and_wait();
    out[i * block + threadIdx.x] = in[i * block + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) (&barrier)->~barrier();
  }
}
void run() {
  const Array<int> in(ascending(2 * block)), out(2 * block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace barrier_object_initialized_anew
DETECTOR_CASE(barrier_object_initialized_anew, none);

// Each round's bulk copy is announced and waited for.
namespace bulk_copy_waits {
__global__ void kernel(const int* in, int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[block];
  if (threadIdx.x == 0) init(&barrier, block);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      const int* from = in + i * block;
      cuda::device::memcpy_async_tx(tile, from, cuda::aligned_size_t<16>(sizeof tile), barrier);
      token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
    } else {
      token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
    __syncthreads();
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace bulk_copy_waits
DETECTOR_CASE(bulk_copy_waits, none);

// The threads do not wait for the bulk copy.
namespace bulk_copy_without_wait {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[block];
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), barrier);  // A
    Barrier::arrival_token token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  }
  __syncthreads();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace bulk_copy_without_wait
DETECTOR_CASE(bulk_copy_without_wait, shared_race);

// The barrier expects more bytes than the copy brings, so its phase never ends.
namespace bulk_copy_expects_too_much {
__global__ void kernel(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[block];
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), barrier);
    Barrier::arrival_token token = cuda::device::barrier_arrive_tx(barrier, 1, 2 * sizeof tile);
  }
  barrier.wait_parity(false);  // A
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(block)), out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace bulk_copy_expects_too_much
DETECTOR_CASE(bulk_copy_expects_too_much, missing_lane);

// A pipeline with two stages.
namespace pipeline_with_stages {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int tiles[2][block];
  const auto group = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(group, &state);
  for (int i = 0, fetch = 0; i < batches; ++i) {
    for (; fetch < batches && fetch < i + 2; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(group, tiles[fetch % 2], in + fetch * block, sizeof tiles[0], pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[i * block + threadIdx.x] = tiles[i % 2][block - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}
void run() {
  const Array<int> in(ascending(6 * block)), out(6 * block);
  kernel<<<1, block>>>(in, out, 6);
  finish();
}
}  // namespace pipeline_with_stages
DETECTOR_CASE(pipeline_with_stages, none);

// The stage is released before it is read.
namespace pipeline_releases_too_early {
__global__ void kernel(const int* in, int* out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int tile[block];
  const auto group = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(group, &state);
  for (int i = 0; i < batches; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(group, tile, in + i * block, sizeof tile, pipeline);  // A
    pipeline.producer_commit();
    pipeline.consumer_wait();
    pipeline.consumer_release();
    out[i * block + threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
  }
}
void run() {
  const Array<int> in(ascending(4 * block)), out(4 * block);
  kernel<<<1, block>>>(in, out, 4);
  finish();
}
}  // namespace pipeline_releases_too_early
DETECTOR_CASE(pipeline_releases_too_early, shared_race);

// A tile of two warps waits for both.
namespace large_tile_waits {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[2 * block];
  const auto group = cg::tiled_partition<64>(cg::this_thread_block());
  tile[threadIdx.x] = in[threadIdx.x];
  group.sync();
  out[threadIdx.x] = tile[threadIdx.x ^ 63];
}
void run() {
  const Array<int> in(ascending(2 * block)), out(2 * block);
  kernel<<<1, 2 * block>>>(in, out);
  finish();
}
}  // namespace large_tile_waits
DETECTOR_CASE(large_tile_waits, none);

// It does not wait for the other tile.
namespace large_tile_is_too_small {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[2 * block];
  const auto group = cg::tiled_partition<64>(cg::this_thread_block());
  tile[threadIdx.x] = in[threadIdx.x];  // A
  group.sync();
  out[threadIdx.x] = tile[threadIdx.x ^ 64];  // B
}
void run() {
  const Array<int> in(ascending(2 * block)), out(2 * block);
  kernel<<<1, 2 * block>>>(in, out);
  finish();
}
}  // namespace large_tile_is_too_small
DETECTOR_CASE(large_tile_is_too_small, shared_race);

// The bytes of a copy of the whole block do not come out even, so threads share words.
namespace group_copies_odd_bytes {
__global__ void kernel(const char* in, char* out, int n) {
  __shared__ char tile[2 * block];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(cg::this_thread_block(), tile, in, n, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
void run() {
  const Array<char> in(std::vector<char>(block, 1)), out(block);
  for (const int n : {1, 2, 3, 58, 63}) kernel<<<1, block>>>(in, out, n);
  finish();
}
}  // namespace group_copies_odd_bytes
DETECTOR_CASE(group_copies_odd_bytes, none);

// Nobody waits for what the others copy.
namespace group_copies_odd_bytes_without_wait {
__global__ void kernel(const char* in, char* out, int n) {
  __shared__ char tile[2 * block];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(cg::this_thread_block(), tile, in, n, pipe);  // A
  pipe.producer_commit();
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = tile[n - 1 - threadIdx.x];  // B
  pipe.consumer_wait();
}
void run() {
  const Array<char> in(std::vector<char>(block, 1)), out(block);
  kernel<<<1, block>>>(in, out, 63);
  finish();
}
}  // namespace group_copies_odd_bytes_without_wait
DETECTOR_CASE(group_copies_odd_bytes_without_wait, shared_race);

}  // namespace
