// The grid as a group: blocks of a cooperative launch that wait for each other.

#include <cooperative_groups.h>

#include "device.h"

namespace cg = cooperative_groups;

namespace {

__global__ void describe_grid(unsigned long long* out) {
  const cg::grid_group grid = cg::this_grid();
  const bool is_right = grid.is_valid() && grid.size() == 6 * 35 && grid.num_blocks() == 6 &&
                        grid.group_dim().x == gridDim.x && grid.block_index().y == blockIdx.y &&
                        grid.dim_threads().x == gridDim.x * blockDim.x;
  out[grid.thread_rank()] = is_right ? grid.block_rank() : 99;
}

// Each thread passes its value to the next one of the grid, again and again. Shared memory and
// local variables live on.
__global__ void pass_on(int* a, int* b, int rounds, int* kept) {
  __shared__ int tile[32];
  extern __shared__ int more[];
  const cg::grid_group grid = cg::this_grid();
  const auto rank = static_cast<unsigned>(grid.thread_rank());
  const auto size = static_cast<unsigned>(grid.size());
  tile[threadIdx.x] = rank;
  more[threadIdx.x] = 1000 + rank;
  int rounds_done = 0;
  for (; rounds_done < rounds; ++rounds_done) {
    b[rank] = a[(rank + 1) % size];
    grid.sync();
    int* const old = a;
    a = b;
    b = old;
  }
  kept[rank] = tile[(threadIdx.x + 1) % 32] * 10000 + more[(threadIdx.x + 1) % 32] + rounds_done;
}

template <class T>
__global__ void sum(const T* in, T* parts, T* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  T own = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) own += in[i];
  parts[grid.thread_rank()] = own;
  cg::sync(grid);
  if (grid.thread_rank() > 0) return;
  T total = 0;
  for (unsigned i = 0; i < grid.size(); ++i) total += parts[i];
  *out = total;
}

constexpr int wait_line = __LINE__ + 2;
__global__ void wait_unless_last() {
  if (blockIdx.x < 2) cg::this_grid().sync();
}

constexpr int plain_line = __LINE__ + 1;
__global__ void wait_without_cooperation() { cg::this_grid().sync(); }

__global__ void add(int* out, int a, int b) { out[blockIdx.x] = a + b; }

__global__ void leave_some_threads(int* out) {
  if (threadIdx.x >= 5) return;
  cg::this_grid().sync();
  out[blockIdx.x * 5 + threadIdx.x] = 7;
}

}  // namespace

TEST_CASE("the grid is a group") {
  DeviceArray<unsigned long long> out(6 * 35);
  unsigned long long* data = out;
  void* arguments[] = {&data};
  REQUIRE(cudaLaunchCooperativeKernel((void*)describe_grid, dim3(2, 3), dim3(7, 5), arguments) ==
          cudaSuccess);
  const auto ranks = out.values();
  for (unsigned i = 0; i < ranks.size(); ++i) REQUIRE(ranks[i] == i / 35);
}

TEST_CASE("blocks wait for each other at the grid's barrier, in every order") {
  const OrderGuard guard;
  constexpr int blocks = 5, threads = 32, rounds = 7, n = blocks * threads;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  for (const auto order :
       {tilelab::Order::ascending, tilelab::Order::descending, tilelab::Order::random}) {
    tilelab::emulator::set_order(order, 11);
    DeviceArray<int> a(in), b(n), kept(n);
    int *device_a = a, *device_b = b, *device_kept = kept, count = rounds;
    void* arguments[] = {&device_a, &device_b, &count, &device_kept};
    REQUIRE(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&pass_on), blocks, threads,
                                        arguments, threads * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto values = b.values();
    const auto shared = kept.values();
    for (int i = 0; i < n; ++i) {
      REQUIRE(values[i] == (i + rounds) % n);
      const int neighbor = i / 32 * 32 + (i + 1) % 32;
      REQUIRE(shared[i] == neighbor * 10000 + 1000 + neighbor + rounds);
    }
  }
}

TEST_CASE("a kernel template is launched by its pointer") {
  constexpr int n = 1000;
  DeviceArray<double> in(std::vector<double>(n, 0.5)), parts(4 * 64), out(1);
  double *device_in = in, *device_parts = parts, *device_out = out;
  int count = n;
  void* arguments[] = {&device_in, &device_parts, &device_out, &count};
  REQUIRE(cudaLaunchCooperativeKernel((const void*)sum<double>, 4, 64, arguments, 0, nullptr) ==
          cudaSuccess);
  REQUIRE(out.values()[0] == n / 2);
}

TEST_CASE("cudaLaunchKernel takes the arguments by pointer") {
  DeviceArray<int> out(2);
  int* data = out;
  int a = 3, b = 4;
  void* arguments[] = {&data, &a, &b};
  REQUIRE(cudaLaunchKernel((void*)add, dim3(2), dim3(1), arguments, 0, 0) == cudaSuccess);
  REQUIRE(out.values() == std::vector<int>(2, 7));
  REQUIRE(cudaLaunchKernel(add, dim3(0), dim3(1), arguments) == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE("a block that ends before the grid's barrier is a deadlock with the line") {
  const OrderGuard guard;
  for (const auto order : {tilelab::Order::ascending, tilelab::Order::descending}) {
    tilelab::emulator::set_order(order, 0);
    const std::string sentence = fault_of(cudaErrorLaunchFailure, [] {
      cudaLaunchCooperativeKernel((void*)wait_unless_last, 3, 32, nullptr);
    });
    REQUIRE_CONTAINS(sentence, "deadlock");
    REQUIRE_CONTAINS(sentence, "block (2,0,0) has ended");
    REQUIRE_CONTAINS(sentence, place(__FILE__, wait_line));
  }
}

TEST_CASE("threads that have ended do not hold the grid up") {
  DeviceArray<int> out(15);
  int* data = out;
  void* arguments[] = {&data};
  REQUIRE(cudaLaunchCooperativeKernel((void*)leave_some_threads, 3, 32, arguments) == cudaSuccess);
  REQUIRE(out.values() == std::vector<int>(15, 7));
}

TEST_CASE("the grid's barrier needs a cooperative launch") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { wait_without_cooperation<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "cudaLaunchCooperativeKernel()");
  REQUIRE_CONTAINS(sentence, place(__FILE__, plain_line));
}

TEST_CASE("a cooperative launch has a limit, which the device names") {
  int yes = 0;
  REQUIRE(cudaDeviceGetAttribute(&yes, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess);
  REQUIRE(yes == 1);
  REQUIRE(cudaLaunchCooperativeKernel((void*)wait_unless_last, 1000, 32, nullptr) ==
          cudaErrorCooperativeLaunchTooLarge);
  REQUIRE_CONTAINS(std::string(tilelab::emulator::fault_message()), "16384");
  cudaGetLastError();
}
