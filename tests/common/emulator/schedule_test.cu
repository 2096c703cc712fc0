#include <algorithm>

#include "device.h"

using tilelab::Order;
using tilelab::emulator::set_order;

namespace {

__device__ int next_ticket;

/// Notes for every thread of the grid when it ran.
__global__ void take_tickets(int* ticket) {
  ticket[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&next_ticket, 1);
}

/// The same after a barrier.
__global__ void take_tickets_after_barrier(int* ticket) {
  __syncthreads();
  ticket[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&next_ticket, 1);
}

/// Wrong: the neighbor's value may not be there yet.
__global__ void differences_without_barrier(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = threadIdx.x > 0 ? tile[threadIdx.x] - tile[threadIdx.x - 1] : tile[0];
}

/// Counts the blocks that have begun, and waits for the first of them, as a look-back would.
__global__ void count_begun_blocks(int* seen, int barriers_before) {
  for (int i = 0; i < barriers_before; ++i) __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&next_ticket, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  while (atomicAdd(&next_ticket, 0) == 0) {
  }
  seen[blockIdx.x] = atomicAdd(&next_ticket, 0);
}

/// How the threads of a block meet in the loop in which they wait for another block.
enum class Meeting { vote, shuffle, warp_barrier, barrier, vote_of_block };

/// Whether a thread waits once more.
__device__ bool has_to_wait(Meeting meeting, int* flag, int* shared) {
  const int seen = atomicAdd(flag, 0);
  switch (meeting) {
    case Meeting::vote:
      return __any_sync(~0u, seen == 0);
    case Meeting::shuffle:
      return __shfl_sync(~0u, seen, 0) == 0;
    case Meeting::warp_barrier:
      __syncwarp();
      return seen == 0;
    case Meeting::barrier:
      __syncthreads();
      if (threadIdx.x == 0) *shared = seen;
      __syncthreads();
      return *shared == 0;
    case Meeting::vote_of_block:
      return __syncthreads_or(seen == 0) != 0;
  }
  return false;
}

/// All blocks wait for the last one.
__global__ void wait_for_last_block(Meeting meeting, int* flag, int* out) {
  __shared__ int shared;
  if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) atomicExch(flag, 5);
  while (has_to_wait(meeting, flag, &shared)) {
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

template <class Kernel>
std::vector<int> tickets(Kernel kernel, Order order, std::uint64_t seed = 0) {
  const OrderGuard guard;
  set_order(order, seed);
  const int zero = 0;
  REQUIRE(cudaMemcpyToSymbol(next_ticket, &zero, sizeof zero) == cudaSuccess);
  DeviceArray<int> ticket(3 * 64);
  kernel<<<3, 64>>>(static_cast<int*>(ticket));
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return ticket.values();
}

std::vector<int> ascending() {
  std::vector<int> values(3 * 64);
  for (int i = 0; i < 3 * 64; ++i) values[i] = i;
  return values;
}

std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("blocks and threads run in order, or in reverse, before and after a barrier") {
  std::vector<int> descending = ascending();
  std::reverse(descending.begin(), descending.end());
  REQUIRE(tickets(take_tickets, Order::ascending) == ascending());
  REQUIRE(tickets(take_tickets, Order::descending) == descending);
  REQUIRE(tickets(take_tickets_after_barrier, Order::ascending) == ascending());
  REQUIRE(tickets(take_tickets_after_barrier, Order::descending) == descending);
}

TEST_CASE("a random order runs every thread once, and repeats with its seed") {
  const auto first = tickets(take_tickets, Order::random, 1);
  REQUIRE(sorted(first) == ascending());
  REQUIRE(first != ascending());
  REQUIRE(tickets(take_tickets, Order::random, 1) == first);
  REQUIRE(tickets(take_tickets, Order::random, 2) != first);
}

TEST_CASE("a missing barrier gives different results in different orders") {
  const OrderGuard guard;
  const std::vector<int> in(64, 5);
  DeviceArray<int> device_in(in), out(64);
  const auto run = [&](Order order) {
    set_order(order, 0);
    differences_without_barrier<<<1, 64>>>(device_in, out);
    return out.values();
  };
  std::vector<int> right(64, 0);
  right[0] = 5;
  REQUIRE(run(Order::ascending) == right);
  REQUIRE(run(Order::descending) != right);
}

TEST_CASE("a random order visits every block of any grid once") {
  const OrderGuard guard;
  for (const unsigned blocks : {1u, 2u, 7u, 64u, 1000u, 30030u}) {
    set_order(Order::random, blocks);
    DeviceArray<int> ticket(blocks);
    const int zero = 0;
    REQUIRE(cudaMemcpyToSymbol(next_ticket, &zero, sizeof zero) == cudaSuccess);
    take_tickets<<<blocks, 1>>>(ticket);
    const auto values = sorted(ticket.values());
    for (unsigned i = 0; i < blocks; ++i) REQUIRE(values[i] == static_cast<int>(i));
  }
}

TEST_CASE("blocks that wait in loops overlap, unless they run in order") {
  const OrderGuard guard;
  constexpr int blocks = 20;
  const auto most_ahead = [&](Order order, int barriers_before = 0) {
    set_order(order, 1);
    DeviceArray<int> seen(blocks);
    const int zero = 0;
    REQUIRE(cudaMemcpyToSymbol(next_ticket, &zero, sizeof zero) == cudaSuccess);
    count_begun_blocks<<<blocks, 64>>>(static_cast<int*>(seen), barriers_before);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    // One after the other, the blocks see 1, 2, 3 and so on.
    const auto values = sorted(seen.values());
    int most = 0;
    for (int i = 0; i < blocks; ++i) most = std::max(most, values[i] - (i + 1));
    return most;
  };
  REQUIRE(most_ahead(Order::ascending) == 0);
  REQUIRE(most_ahead(Order::descending) > 0);
  REQUIRE(most_ahead(Order::random) > 0);
  // They do so even if they meet at a barrier before one of their threads says that they are there.
  REQUIRE(most_ahead(Order::random, 1) > 0);
  REQUIRE(most_ahead(Order::random, 2) > 0);
}

TEST_CASE("blocks wait for later ones in loops in which their threads meet") {
  const OrderGuard guard;
  constexpr int blocks = 5, threads = 64;
  for (const Order order : {Order::ascending, Order::descending, Order::random}) {
    set_order(order, 1);
    for (const Meeting meeting : {Meeting::vote, Meeting::shuffle, Meeting::warp_barrier,
                                  Meeting::barrier, Meeting::vote_of_block}) {
      DeviceArray<int> flag(1), out(blocks * threads);
      REQUIRE(cudaMemset(static_cast<int*>(flag), 0, sizeof(int)) == cudaSuccess);
      wait_for_last_block<<<blocks, threads>>>(meeting, static_cast<int*>(flag),
                                               static_cast<int*>(out));
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      REQUIRE(out.values() == std::vector<int>(blocks * threads, 5));
    }
  }
}
