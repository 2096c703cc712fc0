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
