// Asynchronous copies, pipelines and barriers in shared memory: what they compute, in every order,
// and how they fail.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "device.h"

namespace cg = cooperative_groups;

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int threads = 64;

template <class Test>
void in_every_order(Test test) {
  const OrderGuard guard;
  for (const auto order :
       {tilelab::Order::ascending, tilelab::Order::descending, tilelab::Order::random}) {
    tilelab::emulator::set_order(order, 5);
    test();
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
}

std::vector<int> ascending(int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i;
  return values;
}

__global__ void reverse_with_barrier(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int i = 0; i < 5; ++i) {
    tile[threadIdx.x] = in[i * threads + threadIdx.x];
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    out[i * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

// One warp fills, the other one empties.
__global__ void produce_and_consume(const int* in, int* out, int rounds) {
  __shared__ Barrier ready[2], filled[2];
  __shared__ int tiles[2][32];
  if (threadIdx.x < 2) {
    init(&ready[threadIdx.x], threads);
    init(&filled[threadIdx.x], threads);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < rounds; ++i) {
      ready[i % 2].arrive_and_wait();
      tiles[i % 2][lane] = in[32 * i + lane];
      Barrier::arrival_token token = filled[i % 2].arrive();
    }
  } else {
    Barrier::arrival_token first = ready[0].arrive();
    Barrier::arrival_token second = ready[1].arrive();
    for (int i = 0; i < rounds; ++i) {
      filled[i % 2].arrive_and_wait();
      out[32 * i + lane] = tiles[i % 2][31 - lane];
      if (i + 2 < rounds) Barrier::arrival_token token = ready[i % 2].arrive();
    }
  }
}

__global__ void drop_out(int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int rounds = 0;
  for (; rounds < threadIdx.x % 3; ++rounds) barrier.arrive_and_wait();
  barrier.arrive_and_drop();
  out[threadIdx.x] = rounds;
}

__global__ void wait_for_parity(int* out) {
  __shared__ Barrier barrier;
  __shared__ int value;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  barrier.wait_parity(true);  // the phase before the first one has always ended
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    value = 42;
    Barrier::arrival_token token = barrier.arrive();
  }
  barrier.wait_parity(false);
  if (threadIdx.x < blockDim.x - 1) out[threadIdx.x] = value;
}

__global__ void copy_with_barrier(const int* in, int* out, int n) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[4 * threads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int first = 0; first < n; first += 4 * threads) {
    cuda::memcpy_async(block, tile, in + first, cuda::aligned_size_t<16>(sizeof tile), barrier);
    barrier.arrive_and_wait();
    for (int i = threadIdx.x; i < 4 * threads; i += threads) {
      out[first + i] = tile[4 * threads - 1 - i];
    }
    block.sync();
  }
}

__global__ void copy_own_elements(const short* in, short* out) {
  __shared__ Barrier barrier;
  __shared__ short tile[threads];
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(short), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

template <int stages>
__global__ void sum_in_pipeline(const int* in, int* out, int batches) {
  __shared__ int tiles[stages][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + stages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[fetch % stages], in + fetch * threads, sizeof tiles[0],
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += tiles[compute % stages][(threadIdx.x + 1) % threads];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void sum_with_roles(const int* in, int* out, int batches) {
  constexpr int stages = 3, consumers = threads / 2;
  __shared__ int tiles[stages][consumers];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < threads - consumers;
  auto pipeline = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (produces) {
    for (int i = 0; i < batches; ++i) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tiles[i % stages][threadIdx.x], &in[i * consumers + threadIdx.x],
                         sizeof(int), pipeline);
      pipeline.producer_commit();
    }
  } else {
    int sum = 0;
    for (int i = 0; i < batches; ++i) {
      pipeline.consumer_wait();
      sum += tiles[i % stages][threads - 1 - threadIdx.x];
      pipeline.consumer_release();
    }
    out[threads - 1 - threadIdx.x] = sum;
  }
}

__global__ void own_pipeline(const int4* in, int4* out, int batches) {
  __shared__ int4 tiles[2][threads];
  auto pipeline = cuda::make_pipeline();
  const auto fetch = [&](int i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tiles[i % 2][threadIdx.x], &in[i * threads + threadIdx.x],
                       cuda::aligned_size_t<16>(sizeof(int4)), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int i = 0; i < batches; ++i) {
    if (i + 1 < batches) {
      fetch(i + 1);
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
    }
    __syncthreads();
    out[i * threads + threadIdx.x] = tiles[i % 2][threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void primitives(const int* in, int* out, int n) {
  __shared__ int tile[2][threads];
  const int i = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][i], &in[i], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][i], &in[n - 1], sizeof(int), sizeof(int));  // zeros
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  const int first = tile[0][threads - 1 - i];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = first + tile[1][threads - 1 - i];
}

__global__ void group_copy(const int* in, int* out, int n) {
  __shared__ int tile[2][threads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], cuda::aligned_size_t<4>(threads), in + threads,
                   cuda::aligned_size_t<4>(n - threads));
  cg::wait_prior<1>(block);
  const int first = tile[0][threads - 1 - threadIdx.x];
  cg::wait(block);
  out[threadIdx.x] = first * 1000 + (threadIdx.x < n - threads ? tile[1][threadIdx.x] : 0);
}

__global__ void c_functions(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int value;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, threads);
  __syncthreads();
  if (threadIdx.x == 5) value = 17;
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}

__global__ void broken_promise(const int* in) {
  __shared__ alignas(16) int tile[threads];
  auto pipeline = cuda::make_pipeline();
  cuda::memcpy_async(cg::this_thread_block(), tile, in + 1, cuda::aligned_size_t<16>(32), pipeline);
}

// What a copy that nobody waits for leaves: nothing in one order, everything in another.
__global__ void never_wait(const int* in, int* out) {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];
}

constexpr int no_init_line = __LINE__ + 4;
__global__ void no_init() {
  __shared__ Barrier barrier;
  __syncthreads();
  barrier.arrive_and_wait();
}

constexpr int few_line = __LINE__ + 3;
__global__ void too_few_arrivals() {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x + 1);
  __syncthreads();
  barrier.arrive_and_wait();
}

__global__ void too_many_arrivals() {
  __shared__ Barrier barrier;
  if (threadIdx.x > 0) return;
  init(&barrier, 3);
  Barrier::arrival_token first = barrier.arrive(2);
  Barrier::arrival_token second = barrier.arrive(2);
}

__global__ void wrong_bytes() {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    Barrier::arrival_token token = cuda::device::barrier_arrive_tx(barrier, 1, 256);
  }
  barrier.wait_parity(false);
}

__global__ void bulk_copy(const int* in, int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ alignas(128) int tile[threads];
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile, in + i * threads, cuda::aligned_size_t<16>(sizeof tile),
                                    barrier);
      token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
    } else {
      token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    out[i * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void initialize_again(int* out) {
  __shared__ Barrier barrier;
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) init(&barrier, threads);
    __syncthreads();
    barrier.arrive_and_wait();
    __syncthreads();
    if (threadIdx.x == 0) (&barrier)->~barrier();
  }
  out[threadIdx.x] = 1;
}

__global__ void invalidated() {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, 1);
    __mbarrier_inval(&barrier);
    __mbarrier_arrive(&barrier);
  }
}

}  // namespace

TEST_CASE("a barrier in shared memory waits for its arrivals, phase after phase") {
  in_every_order([] {
    DeviceArray<int> in(ascending(5 * threads)), out(5 * threads);
    reverse_with_barrier<<<1, threads>>>(in, out);
    const auto values = out.values();
    for (int i = 0; i < 5 * threads; ++i) {
      REQUIRE(values[i] == i / threads * threads + threads - 1 - i % threads);
    }
  });
}

TEST_CASE("barriers let one warp produce while another consumes") {
  in_every_order([] {
    constexpr int rounds = 9;
    DeviceArray<int> in(ascending(32 * rounds)), out(32 * rounds);
    produce_and_consume<<<1, threads>>>(in, out, rounds);
    const auto values = out.values();
    for (int i = 0; i < 32 * rounds; ++i) REQUIRE(values[i] == i / 32 * 32 + 31 - i % 32);
  });
}

TEST_CASE("threads that drop out of a barrier are no longer waited for") {
  in_every_order([] {
    DeviceArray<int> out(threads);
    drop_out<<<1, threads>>>(out);
    const auto values = out.values();
    for (int i = 0; i < threads; ++i) REQUIRE(values[i] == i % 3);
  });
}

TEST_CASE("threads wait for a phase by its parity") {
  in_every_order([] {
    DeviceArray<int> out(40);
    wait_for_parity<<<1, 41>>>(out);
    REQUIRE(out.values() == std::vector<int>(40, 42));
  });
}

TEST_CASE("a barrier waits for copies") {
  in_every_order([] {
    constexpr int n = 3 * 4 * threads;
    DeviceArray<int> in(ascending(n)), out(n);
    copy_with_barrier<<<1, threads>>>(in, out, n);
    const auto values = out.values();
    constexpr int tile = 4 * threads;
    for (int i = 0; i < n; ++i) REQUIRE(values[i] == i / tile * tile + tile - 1 - i % tile);
    DeviceArray<short> short_in(std::vector<short>(threads, 7)), short_out(threads);
    copy_own_elements<<<1, threads>>>(short_in, short_out);
    REQUIRE(short_out.values() == std::vector<short>(threads, 7));
  });
}

TEST_CASE("a pipeline of a block has stages") {
  in_every_order([] {
    constexpr int batches = 7;
    DeviceArray<int> in(ascending(batches * threads)), out(threads);
    const auto check = [&] {
      const auto values = out.values();
      for (int i = 0; i < threads; ++i) {
        REQUIRE(values[i] == batches * ((i + 1) % threads) + threads * batches * (batches - 1) / 2);
      }
    };
    sum_in_pipeline<1><<<1, threads>>>(in, out, batches);
    check();
    sum_in_pipeline<3><<<1, threads>>>(in, out, batches);
    check();
    sum_with_roles<<<1, threads>>>(in, out, batches);
    const auto values = out.values();
    for (int i = 0; i < threads / 2; ++i) {
      REQUIRE(values[i] == batches * i + threads / 2 * batches * (batches - 1) / 2);
    }
  });
}

TEST_CASE("a thread has a pipeline of its own") {
  in_every_order([] {
    constexpr int batches = 5;
    std::vector<int4> values(batches * threads);
    for (int i = 0; i < batches * threads; ++i) values[i] = {i, 2 * i, 3 * i, 4 * i};
    DeviceArray<int4> in(values), out(values.size());
    own_pipeline<<<1, threads>>>(in, out, batches);
    const auto results = out.values();
    for (int i = 0; i < batches * threads; ++i) {
      REQUIRE(results[i].z == 3 * (i / threads * threads + threads - 1 - i % threads));
    }
  });
}

TEST_CASE("copies are committed and waited for in groups") {
  in_every_order([] {
    DeviceArray<int> in(ascending(100)), out(threads);
    primitives<<<1, threads>>>(in, out, 100);
    const auto values = out.values();
    for (int i = 0; i < threads; ++i) REQUIRE(values[i] == threads - 1 - i);
    group_copy<<<1, threads>>>(in, out, 100);
    const auto copied = out.values();
    for (int i = 0; i < threads; ++i) {
      REQUIRE(copied[i] == (threads - 1 - i) * 1000 + (i < 36 ? threads + i : 0));
    }
  });
}

TEST_CASE("barriers have C functions, too") {
  in_every_order([] {
    DeviceArray<int> out(threads);
    c_functions<<<1, threads>>>(out);
    REQUIRE(out.values() == std::vector<int>(threads, 17));
  });
}

TEST_CASE("a barrier waits for the bytes of bulk copies") {
  in_every_order([] {
    constexpr int rounds = 4;
    DeviceArray<int> in(ascending(rounds * threads)), out(rounds * threads);
    bulk_copy<<<1, threads>>>(in, out, rounds);
    const auto values = out.values();
    for (int i = 0; i < rounds * threads; ++i) {
      REQUIRE(values[i] == i / threads * threads + threads - 1 - i % threads);
    }
  });
}

TEST_CASE("a barrier whose life has ended may be initialized again") {
  DeviceArray<int> out(threads);
  initialize_again<<<1, threads>>>(out);
  REQUIRE(out.values() == std::vector<int>(threads, 1));
}

TEST_CASE("a copy that is not as aligned as its size promises is a fault") {
  DeviceArray<int> in(ascending(threads));
  const std::string message =
      fault_of(cudaErrorMisalignedAddress, [&] { broken_promise<<<1, 32>>>(in); });
  REQUIRE_CONTAINS(message, "both addresses must be multiples of 16");
}

TEST_CASE("a copy runs at its latest and at its earliest moment") {
  const OrderGuard guard;
  DeviceArray<int> in(ascending(threads)), out(threads);
  tilelab::emulator::set_order(tilelab::Order::ascending, 0);
  never_wait<<<1, threads>>>(in, out);
  REQUIRE(out.values() != ascending(threads));
  tilelab::emulator::set_order(tilelab::Order::descending, 0);
  never_wait<<<1, threads>>>(in, out);
  REQUIRE(out.values() == ascending(threads));
}

TEST_CASE("a barrier that is not what the kernel thinks is a fault with the line") {
  const auto message = [](void (*kernel)()) {
    return fault_of(cudaErrorLaunchFailure, [=] { kernel<<<1, 32>>>(); });
  };
  const std::string uninitialized = message(no_init);
  REQUIRE_CONTAINS(uninitialized, "that no thread of the block has initialized");
  REQUIRE_CONTAINS(uninitialized, place(__FILE__, no_init_line));
  const std::string few = message(too_few_arrivals);
  REQUIRE_CONTAINS(few, "deadlock");
  REQUIRE_CONTAINS(few, "for 33 arrivals; 1 is missing");
  REQUIRE_CONTAINS(few, place(__FILE__, few_line));
  REQUIRE_CONTAINS(message(too_many_arrivals), "expects no further arrival");
  REQUIRE_CONTAINS(message(wrong_bytes), "brought 256 bytes fewer than it expects");
  REQUIRE_CONTAINS(message(invalidated), "that was invalidated in");
}
