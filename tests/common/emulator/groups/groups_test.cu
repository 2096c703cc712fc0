// Cooperative groups within a block: what they are, what they exchange, how they wait.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device.h"

namespace cg = cooperative_groups;

namespace {

__global__ void describe_block(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_group group = block;
  const unsigned rank = block.thread_rank();
  const bool is_right = block.size() == group.size() &&
                        block.num_threads() == cg::group_size(block) &&
                        group.thread_rank() == rank && block.thread_index().y == threadIdx.y &&
                        block.group_index().x == blockIdx.x && block.group_dim().z == blockDim.z &&
                        block.dim_threads().x == blockDim.x && cg::thread_rank(block) == rank;
  out[block.group_index().x * block.size() + rank] = is_right ? rank : 9999;
}

__global__ void reverse_block(int* data) {
  __shared__ int tile[256];
  const cg::thread_block block = cg::this_thread_block();
  tile[block.thread_rank()] = data[block.thread_rank()];
  block.sync();
  data[block.thread_rank()] = tile[block.size() - 1 - block.thread_rank()];
  cg::sync(block);
  tile[block.thread_rank()] = 0;
  block.barrier_wait(block.barrier_arrive());
}

template <unsigned size>
__global__ void describe_tiles(unsigned* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const cg::thread_block_tile<size> any = tile;
  unsigned* mine = out + 4 * block.thread_rank();
  mine[0] = tile.thread_rank();
  mine[1] = any.meta_group_rank();
  mine[2] = tile.meta_group_size();
  mine[3] = tile.size() + any.num_threads();
  tile.sync();
}

template <unsigned size>
__global__ void exchange(int* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int value = static_cast<int>(threadIdx.x);
  int* mine = out + 8 * threadIdx.x;
  mine[0] = tile.shfl(value, 1 % size);
  mine[1] = tile.shfl_up(value, 1);
  mine[2] = tile.shfl_down(value, 1);
  mine[3] = tile.shfl_xor(value, size / 2);
  mine[4] = tile.any(tile.thread_rank() == 0) + 2 * tile.all(tile.thread_rank() == 0);
  mine[5] = static_cast<int>(tile.ballot(tile.thread_rank() % 2 == 0));
  mine[6] = static_cast<int>(tile.match_any(value % 2));
  int same = -1;
  mine[7] = static_cast<int>(tile.match_all(value / size, same)) + same;
}

struct Body {
  float mass;
  char name;
  double speed;
};

__global__ void shuffle_types(double* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Body body{1.5f * threadIdx.x, static_cast<char>('a' + threadIdx.x), 0.25 * threadIdx.x};
  const Body other = warp.shfl(body, 7);
  const float4 four = warp.shfl(make_float4(threadIdx.x, 1, 2, 3), 9);
  const short narrow = warp.shfl_xor(static_cast<short>(-threadIdx.x), 1);
  out[threadIdx.x] = other.mass + other.name + other.speed + four.x + four.w + narrow;
}

__global__ void sum_dynamic_tiles(int* out, unsigned size) {
  const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), size);
  __shared__ int parts[1024];
  const unsigned first = threadIdx.x - static_cast<unsigned>(tile.thread_rank());
  parts[threadIdx.x] = threadIdx.x;
  tile.sync();
  int sum = 0;
  for (unsigned i = 0; i < tile.size(); ++i) sum += parts[first + i];
  out[threadIdx.x] = sum;
}

__global__ void count_coalesced(int* counter, int* places, const int* in) {
  if (in[threadIdx.x] % 3 != 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
  first = active.shfl(first, 0);
  places[first + active.thread_rank()] = threadIdx.x;
}

// 11 lanes, whose ranks are not their numbers.
__global__ void exchange_coalesced(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto group = cg::binary_partition(warp, threadIdx.x % 3 == 1 && threadIdx.x > 0);
  const int value = static_cast<int>(threadIdx.x);
  int* mine = out + 10 * threadIdx.x;
  mine[0] = static_cast<int>(group.num_threads());
  mine[1] = static_cast<int>(group.thread_rank());
  mine[2] = static_cast<int>(2 * group.meta_group_rank() + 10 * group.meta_group_size());
  mine[3] = group.shfl(value, 2);
  mine[4] = group.shfl_up(value, 2);
  mine[5] = group.shfl_down(value, 2);
  mine[6] = static_cast<int>(group.ballot(group.thread_rank() < 3));
  mine[7] = cg::reduce(group, value, cg::plus<int>());
  mine[8] = cg::inclusive_scan(group, value);
  mine[9] = cg::exclusive_scan(group, value, cg::greater<int>());
}

__global__ void label(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto group = cg::labeled_partition(warp, threadIdx.x / 5);
  out[threadIdx.x] =
      static_cast<int>(group.meta_group_rank() * 10000 + group.meta_group_size() * 100 +
                       group.num_threads() * 10 + group.thread_rank());
}

template <unsigned size, class T>
__global__ void reduce_tiles(const T* in, T* out) {
  __shared__ cg::block_tile_memory<512> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<size>(block);
  const T value = in[block.thread_rank()];
  T* mine = out + 4 * block.thread_rank();
  mine[0] = cg::reduce(tile, value, cg::plus<T>());
  mine[1] = cg::reduce(tile, value, cg::less<T>());
  mine[2] = cg::inclusive_scan(tile, value);
  mine[3] = cg::exclusive_scan(tile, value, cg::plus<T>());
}

__global__ void large_tiles(int* out) {
  __shared__ int tile_of[256];
  const auto tile = cg::tiled_partition<64>(cg::tiled_partition<128>(cg::this_thread_block()));
  tile_of[threadIdx.x] = static_cast<int>(threadIdx.x);
  tile.sync();
  const int other = tile_of[threadIdx.x / 64 * 64 + 63 - tile.thread_rank()];
  out[threadIdx.x] = other * 1000 + tile.shfl(static_cast<int>(threadIdx.x), 33) * 4 +
                     tile.any(tile.thread_rank() == 40) * 2 + tile.all(tile.thread_rank() < 63);
}

__global__ void invoke(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::invoke_one(tile, [&] { out[tile.meta_group_rank()] = 100; });
  tile.sync();
  const int old = cg::invoke_one_broadcast(
      tile, [](int* sum, int more) { return atomicAdd(sum, more); }, &out[tile.meta_group_rank()],
      1);
  out[8 + threadIdx.x] = old;
}

__global__ void store_sum(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::reduce_store_async(tile, out + tile.meta_group_rank(), 1, cg::plus<int>());
  const auto self = cg::this_thread();
  self.sync();
}

constexpr int skip_line = __LINE__ + 4;
__global__ void skip_large_tile() {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (threadIdx.x == 70) return;
  tile.sync();
}

constexpr int diverge_line = __LINE__ + 4;
__global__ void diverge_in_tile() {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (threadIdx.x % 2 == 0) {
    tile.shfl(1, 0);
  } else {
    __syncthreads();
  }
}

template <unsigned size>
void check_exchange() {
  DeviceArray<int> out(8 * 64);
  exchange<size><<<1, 64>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  const int last = size - 1;
  const unsigned all = size == 32 ? ~0u : (1u << size) - 1;
  for (int i = 0; i < 64; ++i) {
    const int rank = i % size;
    const int* mine = values.data() + 8 * i;
    INFO("thread " << i << " of tiles of " << size);
    CHECK(mine[0] == i - rank + (size > 1 ? 1 : 0));
    CHECK(mine[1] == (rank > 0 ? i - 1 : i));
    CHECK(mine[2] == (rank < last ? i + 1 : i));
    CHECK(mine[3] == (size > 1 ? (i ^ (size / 2)) : i));
    CHECK(mine[4] == (size == 1 ? 3 : 1));
    CHECK(static_cast<unsigned>(mine[5]) == (0x55555555u & all));
    CHECK(static_cast<unsigned>(mine[6]) == ((rank % 2 == 0 ? 0x55555555u : 0xaaaaaaaau) & all));
    CHECK(static_cast<unsigned>(mine[7]) == all + 1);
  }
}

template <unsigned size, class T>
void check_reductions() {
  constexpr int threads = 512;
  std::vector<T> in(threads);
  for (int i = 0; i < threads; ++i) in[i] = static_cast<T>((i * 37) % 101);
  DeviceArray<T> device_in(in), out(4 * threads);
  reduce_tiles<size, T><<<1, threads>>>(device_in, out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (int first = 0; first < threads; first += size) {
    T sum = 0, least = in[first];
    for (unsigned i = first; i < first + size; ++i) {
      CHECK(values[4 * i + 3] == sum);
      sum += in[i];
      least = in[i] < least ? in[i] : least;
      CHECK(values[4 * i + 2] == sum);
    }
    for (unsigned i = first; i < first + size; ++i) {
      CHECK(values[4 * i] == sum);
      CHECK(values[4 * i + 1] == least);
    }
  }
}

}  // namespace

TEST_CASE("a block is a group") {
  DeviceArray<unsigned> out(2 * 60);
  describe_block<<<2, dim3(5, 4, 3)>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto ranks = out.values();
  for (unsigned i = 0; i < ranks.size(); ++i) REQUIRE(ranks[i] == i % 60);
}

TEST_CASE("a block's group waits for all its threads") {
  std::vector<int> in(256);
  for (int i = 0; i < 256; ++i) in[i] = i;
  DeviceArray<int> data(in);
  reverse_block<<<1, 256>>>(data);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = data.values();
  for (int i = 0; i < 256; ++i) REQUIRE(values[i] == 255 - i);
}

TEST_CASE("tiles know their rank, size and place in the block") {
  constexpr unsigned threads = 192;
  DeviceArray<unsigned> out(4 * threads);
  const auto check = [&](unsigned size) {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto values = out.values();
    for (unsigned i = 0; i < threads; ++i) {
      REQUIRE(values[4 * i] == i % size);
      REQUIRE(values[4 * i + 1] == i / size);
      REQUIRE(values[4 * i + 2] == threads / size);
      REQUIRE(values[4 * i + 3] == 2 * size);
    }
  };
  describe_tiles<1><<<1, threads>>>(out);
  check(1);
  describe_tiles<4><<<1, threads>>>(out);
  check(4);
  describe_tiles<32><<<1, threads>>>(out);
  check(32);
  describe_tiles<64><<<1, threads>>>(out);
  check(64);
}

TEST_CASE("tiles exchange values within themselves") {
  check_exchange<1>();
  check_exchange<2>();
  check_exchange<8>();
  check_exchange<32>();
}

TEST_CASE("a shuffle takes values of any type up to 32 bytes") {
  DeviceArray<double> out(32);
  shuffle_types<<<1, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (int i = 0; i < 32; ++i) {
    REQUIRE(values[i] == 1.5f * 7 + ('a' + 7) + 0.25 * 7 + 9 + 3 - (i ^ 1));
  }
}

TEST_CASE("the size of a tile may be known only at run time") {
  DeviceArray<int> out(100);
  for (const int size : {1, 4, 32}) {
    sum_dynamic_tiles<<<1, 100>>>(out, size);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto values = out.values();
    for (int i = 0; i < 100; ++i) {
      const int first = i / size * size;
      const int end = std::min(first + size, 100);
      REQUIRE(values[i] == (first + end - 1) * (end - first) / 2);
    }
  }
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [&] { sum_dynamic_tiles<<<1, 100>>>(out, 24); });
  REQUIRE_CONTAINS(sentence, "a size that is not 1, 2, 4");
}

TEST_CASE("coalesced threads add to a counter together") {
  std::vector<int> in(96);
  for (int i = 0; i < 96; ++i) in[i] = i * i;
  DeviceArray<int> device_in(in), counter(std::vector<int>{0}), places(96);
  count_coalesced<<<1, 96>>>(counter, places, device_in);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(counter.values()[0] == 32);
  const auto values = places.values();
  for (int i = 0; i < 32; ++i) REQUIRE(values[i] == 3 * i);
}

TEST_CASE("lanes of a partition are numbered by their rank in it") {
  DeviceArray<int> out(10 * 32);
  exchange_coalesced<<<1, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (const bool chosen : {true, false}) {
    std::vector<int> lanes;
    for (int i = 0; i < 32; ++i) {
      if ((i % 3 == 1) == chosen) lanes.push_back(i);
    }
    const int size = static_cast<int>(lanes.size());
    int sum = 0;
    for (int rank = 0; rank < size; ++rank) {
      const int* mine = values.data() + 10 * lanes[rank];
      INFO("lane " << lanes[rank]);
      sum += lanes[rank];
      CHECK(mine[0] == size);
      CHECK(mine[1] == rank);
      CHECK(mine[2] == 20 + 2 * chosen);
      CHECK(mine[3] == lanes[2]);
      CHECK(mine[4] == lanes[rank < 2 ? rank : rank - 2]);
      CHECK(mine[5] == lanes[rank + 2 >= size ? rank : rank + 2]);
      CHECK(mine[6] == 7);
      CHECK(mine[8] == sum);
      CHECK(mine[9] == (rank == 0 ? 0 : lanes[rank - 1]));
    }
    for (const int lane : lanes) CHECK(values[10 * lane + 7] == sum);
  }
}

TEST_CASE("lanes with the same label form a group") {
  DeviceArray<int> out(32);
  label<<<1, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (int i = 0; i < 32; ++i) {
    REQUIRE(values[i] == i / 5 * 10000 + 7 * 100 + (i < 30 ? 5 : 2) * 10 + i % 5);
  }
}

TEST_CASE("tiles reduce and scan") {
  check_reductions<1, int>();
  check_reductions<8, long long>();
  check_reductions<32, double>();
  check_reductions<64, int>();
  check_reductions<512, double>();
}

TEST_CASE("tiles of several warps wait and exchange values") {
  DeviceArray<int> out(256);
  large_tiles<<<1, 256>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (int i = 0; i < 256; ++i) {
    const int first = i / 64 * 64;
    REQUIRE(values[i] == (first + 63 - i % 64) * 1000 + (first + 33) * 4 + 2);
  }
}

TEST_CASE("one thread of a group works for all") {
  DeviceArray<int> out(8 + 64);
  invoke<<<1, 64>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto values = out.values();
  for (int i = 0; i < 8; ++i) CHECK(values[i] == 101);
  for (int i = 8; i < 72; ++i) CHECK(values[i] == 100);
  DeviceArray<int> sums(4);
  store_sum<<<1, 64>>>(sums);
  REQUIRE(sums.values() == std::vector<int>(4, 16));
}

TEST_CASE("a thread that never comes to its tile's barrier is a deadlock with the line") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { skip_large_tile<<<1, 128>>>(); });
  REQUIRE_CONTAINS(sentence, "deadlock");
  REQUIRE_CONTAINS(sentence, "63 threads (first: (64,0,0)) wait at the sync() of a tile");
  REQUIRE_CONTAINS(sentence, place(__FILE__, skip_line));
}

TEST_CASE("lanes of a tile that do not all shuffle are a deadlock with the line") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { diverge_in_tile<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "__shfl_sync() with mask 0x0000ffff");
  REQUIRE_CONTAINS(sentence, place(__FILE__, diverge_line));
}
