#include "device.h"

namespace {

constexpr unsigned full = 0xffffffffu;

// Each lane's value is 100 plus its lane.
template <class T>
__global__ void shuffle(T* indexed, T* up, T* down, T* crossed, int operand, int width) {
  const T value = static_cast<T>(100 + threadIdx.x);
  indexed[threadIdx.x] = __shfl_sync(full, value, operand, width);
  up[threadIdx.x] = __shfl_up_sync(full, value, operand, width);
  down[threadIdx.x] = __shfl_down_sync(full, value, operand, width);
  crossed[threadIdx.x] = __shfl_xor_sync(full, value, operand, width);
}

__global__ void warp_sums(const float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(full, sum, offset);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const int low = lane < 16;
  unsigned* mine = out + 8 * lane;
  mine[0] = __all_sync(full, low);
  mine[1] = __any_sync(full, low);
  mine[2] = __ballot_sync(full, low);
  mine[3] = __match_any_sync(full, static_cast<unsigned char>(lane % 3));
  int same = -1;
  mine[4] = __match_all_sync(full, lane / 32, &same) ^ static_cast<unsigned>(same);
  mine[5] = __match_all_sync(full, lane, &same) ^ static_cast<unsigned>(same);
  mine[6] = __activemask();
  mine[7] = 0;
  if (lane % 4 == 0) mine[7] = __activemask();
}

__global__ void reductions(int* out) {
  const int value = static_cast<int>(threadIdx.x) - 10;
  const unsigned bits = 1u << threadIdx.x;
  int* mine = out + 8 * threadIdx.x;
  mine[0] = __reduce_add_sync(full, value);
  mine[1] = __reduce_min_sync(full, value);
  mine[2] = __reduce_max_sync(full, value);
  mine[3] = static_cast<int>(__reduce_max_sync(full, static_cast<unsigned>(value)));
  mine[4] = static_cast<int>(__reduce_or_sync(full, bits));
  mine[5] = static_cast<int>(__reduce_and_sync(full, ~bits));
  mine[6] = static_cast<int>(__reduce_xor_sync(full, bits));
  mine[7] = static_cast<int>(__reduce_min_sync(full, bits));
}

// Both halves of the warp shuffle at the same time, each with its own mask.
__global__ void halves(int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) {
    out[lane] = __shfl_sync(0x0000ffffu, lane, 3);
  } else {
    out[lane] = __shfl_sync(0xffff0000u, lane, 30);
  }
}

__global__ void sync_from_two_places(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    __syncwarp();
  } else {
    __syncwarp();
  }
  out[threadIdx.x] = values[31 - threadIdx.x];
}

__global__ void read_from_exited(int* out) {
  if (threadIdx.x >= 8) return;
  out[threadIdx.x] = __shfl_down_sync(full, static_cast<int>(threadIdx.x), 4);
}

constexpr int elsewhere_line = __LINE__;
__global__ void lane_elsewhere() {
  if (threadIdx.x < 16) {
    __shfl_down_sync(full, 1, 8);
  }
  __syncthreads();
}

__global__ void not_in_mask() {
  if (threadIdx.x == 5) __ballot_sync(0x1u, 1);
}

__global__ void shuffle_in_two_places(int* out) {
  const int own = threadIdx.x;
  if (own < 16) {
    out[own] = __shfl_xor_sync(full, own, 16);
  } else {
    out[own] = 100 + __shfl_xor_sync(full, own, 16);
  }
}

__global__ void odd_width() { __shfl_sync(full, 1, 0, 12); }

/// What lane `lane` gets from each shuffle, in the simplest terms.
int expected_index(int lane, int operand, int width) {
  return 100 + lane / width * width + operand % width;
}
int expected_up(int lane, int operand, int width) {
  return 100 + (lane % width >= operand ? lane - operand : lane);
}
int expected_down(int lane, int operand, int width) {
  return 100 + (lane % width + operand < width ? lane + operand : lane);
}
int expected_xor(int lane, int operand, int width) {
  const int source = lane ^ operand;
  return 100 + (source / width <= lane / width ? source : lane);
}

template <class T>
void check_shuffles() {
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    for (const int operand : {0, 1, 3, 8, 17}) {
      DeviceArray<T> indexed(32), up(32), down(32), crossed(32);
      shuffle<T><<<1, 32>>>(indexed, up, down, crossed, operand, width);
      REQUIRE(cudaGetLastError() == cudaSuccess);
      const auto i = indexed.values(), u = up.values(), d = down.values(), x = crossed.values();
      for (int lane = 0; lane < 32; ++lane) {
        CAPTURE(width, operand, lane);
        REQUIRE(i[lane] == static_cast<T>(expected_index(lane, operand, width)));
        REQUIRE(u[lane] == static_cast<T>(expected_up(lane, operand, width)));
        REQUIRE(d[lane] == static_cast<T>(expected_down(lane, operand, width)));
        REQUIRE(x[lane] == static_cast<T>(expected_xor(lane, operand, width)));
      }
    }
  }
}

}  // namespace

TEST_CASE("shuffles move values of every type within segments of every width") {
  check_shuffles<int>();
  check_shuffles<unsigned>();
  check_shuffles<long long>();
  check_shuffles<unsigned long long>();
  check_shuffles<float>();
  check_shuffles<double>();
}

TEST_CASE("a shuffle reduction sums each warp of a block") {
  std::vector<float> in(128);
  for (int i = 0; i < 128; ++i) in[i] = static_cast<float>(i);
  DeviceArray<float> device_in(in), out(4);
  warp_sums<<<1, 128>>>(device_in, out);
  REQUIRE(out.values() == std::vector<float>{496, 1520, 2544, 3568});
}

TEST_CASE("votes, matches and the active mask") {
  DeviceArray<unsigned> out(8 * 32);
  votes<<<1, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto values = out.values();
  const unsigned thirds[] = {0x49249249u, 0x92492492u, 0x24924924u};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned* mine = &values[8 * lane];
    REQUIRE(mine[0] == 0);
    REQUIRE(mine[1] == 1);
    REQUIRE(mine[2] == 0xffffu);
    REQUIRE(mine[3] == thirds[lane % 3]);
    REQUIRE(mine[4] == (full ^ 1u));
    REQUIRE(mine[5] == 0);
    REQUIRE(mine[6] == full);
    REQUIRE(mine[7] == (lane % 4 == 0 ? 0x11111111u : 0));
  }
}

TEST_CASE("warp reductions give every lane the result") {
  DeviceArray<int> out(8 * 32);
  reductions<<<1, 32>>>(out);
  const auto values = out.values();
  for (int lane = 0; lane < 32; ++lane) {
    const std::vector<int> mine(&values[8 * lane], &values[8 * lane] + 8);
    REQUIRE(mine == std::vector<int>{176, -10, 21, -1, -1, 0, -1, 1});
  }
}

TEST_CASE("groups of lanes with their own masks do not disturb each other") {
  DeviceArray<int> out(32);
  halves<<<1, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto values = out.values();
  for (int lane = 0; lane < 32; ++lane) REQUIRE(values[lane] == (lane < 16 ? 3 : 30));
}

TEST_CASE("lanes meet at __syncwarp() from different places") {
  DeviceArray<int> out(32);
  sync_from_two_places<<<1, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto values = out.values();
  for (int lane = 0; lane < 32; ++lane) REQUIRE(values[lane] == 31 - lane);
}

TEST_CASE("lanes that exited do not take part, and give no value") {
  DeviceArray<int> out(8);
  read_from_exited<<<1, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto values = out.values();
  for (int lane = 0; lane < 4; ++lane) REQUIRE(values[lane] == lane + 4);
  for (int lane = 4; lane < 8; ++lane) REQUIRE(values[lane] == 0x7ffbadba);
}

TEST_CASE("a lane of the mask that never comes is a deadlock, which names who waits where") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { lane_elsewhere<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "kernel lane_elsewhere, block (0,0,0): deadlock");
  REQUIRE_CONTAINS(
      sentence, "16 threads (first: (0,0,0)) wait at __shfl_down_sync() with mask 0xffffffff in " +
                    place(__FILE__, elsewhere_line + 3));
  REQUIRE_CONTAINS(sentence, "16 threads (first: (16,0,0)) wait at __syncthreads() in " +
                                 place(__FILE__, elsewhere_line + 5));
}

TEST_CASE("lanes call one shuffle in two places") {
  DeviceArray<int> out(32);
  shuffle_in_two_places<<<1, 32>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto values = out.values();
  for (int lane = 0; lane < 32; ++lane) {
    REQUIRE(values[lane] == (lane < 16 ? lane + 16 : 100 + lane - 16));
  }
}

TEST_CASE("a mask that does not include its own lane is a fault") {
  const std::string sentence = fault_of(cudaErrorLaunchFailure, [] { not_in_mask<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "thread (5,0,0): lane 5 calls __ballot_sync() with mask 0x00000001");
}

TEST_CASE("a width that is not a power of two is a fault") {
  const std::string sentence = fault_of(cudaErrorLaunchFailure, [] { odd_width<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "width 12");
}
