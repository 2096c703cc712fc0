// Bulk copies in both directions, and barriers, as cuda::ptx spells them.

#include <cuda/barrier>
#include <cuda/ptx>

#include "cases.h"

namespace {

namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;

// The tile comes in, is changed, and goes out again.
namespace bulk_in_and_out {
__global__ void kernel(int* data) {
  __shared__ alignas(128) int tile[block];
  __shared__ Barrier barrier;
  int* const own = data + blockIdx.x * block;
  if (threadIdx.x == 0) {
    init(&barrier, block);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, own, sizeof tile,
                       cuda::device::barrier_native_handle(barrier));
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  tile[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, own, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
void run() {
  const Array<int> data(ascending(2 * block));
  kernel<<<2, block>>>(data);
  finish();
}
}  // namespace bulk_in_and_out
DETECTOR_CASE(bulk_in_and_out, none);

// Nobody makes the new values visible to the copy.
namespace bulk_without_proxy_fence {
__global__ void kernel(int* out) {
  __shared__ alignas(16) int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // A
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace bulk_without_proxy_fence
DETECTOR_CASE(bulk_without_proxy_fence, misused_barrier);

// The block ends without waiting until the copy has read its shared memory.
namespace bulk_without_wait_for_reads {
__global__ void kernel(int* out) {
  __shared__ alignas(16) int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // A
    ptx::cp_async_bulk_commit_group();
  }
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace bulk_without_wait_for_reads
DETECTOR_CASE(bulk_without_wait_for_reads, misused_barrier);

// A wait does not include what was not committed.
namespace bulk_without_commit {
__global__ void kernel(int* out) {
  __shared__ alignas(16) int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // A
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace bulk_without_commit
DETECTOR_CASE(bulk_without_commit, misused_barrier);

// The tile is filled again while the copy may still read it.
namespace bulk_source_is_refilled {
__global__ void kernel(int* out) {
  __shared__ alignas(16) int tile[block];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = threadIdx.x + round;  // B
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      int* const to = out + round * block;
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, tile, sizeof tile);  // A
      ptx::cp_async_bulk_commit_group();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
void run() {
  const Array<int> out(2 * block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace bulk_source_is_refilled
DETECTOR_CASE(bulk_source_is_refilled, shared_race);

// Two tiles take turns: one group may still read while the other is filled.
namespace bulk_out_of_two_tiles {
__global__ void kernel(int* out, int rounds) {
  __shared__ alignas(16) int tiles[2][block];
  for (int round = 0; round < rounds; ++round) {
    int* const tile = tiles[round % 2];
    tile[threadIdx.x] = threadIdx.x + round;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + round * block, tile,
                         sizeof tiles[0]);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
void run() {
  const Array<int> out(5 * block);
  kernel<<<1, block>>>(out, 5);
  finish();
}
}  // namespace bulk_out_of_two_tiles
DETECTOR_CASE(bulk_out_of_two_tiles, none);

// That the copy has read does not mean that it has written.
namespace bulk_result_is_read_too_early {
__global__ void kernel(int* data, int* out) {
  __shared__ alignas(16) int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data, tile, sizeof tile);  // A
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  __syncthreads();
  out[threadIdx.x] = data[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> data(std::vector<int>(block, 0)), out(block);
  kernel<<<1, block>>>(data, out);
  finish();
}
}  // namespace bulk_result_is_read_too_early
DETECTOR_CASE(bulk_result_is_read_too_early, global_race);

// The functions of the barrier by its handle, phase after phase.
namespace bulk_barrier_by_handle {
__global__ void kernel(const int* in, int* out, int rounds) {
  __shared__ alignas(16) int tile[block];
  __shared__ alignas(8) std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                     sizeof tile);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + round * block,
                         sizeof tile, &barrier);
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, round % 2)) {
    }
    out[round * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
    __syncthreads();
  }
}
void run() {
  const Array<int> in(ascending(3 * block)), out(3 * block);
  kernel<<<1, block>>>(in, out, 3);
  finish();
}
}  // namespace bulk_barrier_by_handle
DETECTOR_CASE(bulk_barrier_by_handle, none);

}  // namespace
