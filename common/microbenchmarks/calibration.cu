// Measures what the model of a GPU needs to know. Prints a schema::Calibration. `tilelab calibrate`
// builds and runs this. docs/estimates.md explains.
//
// Each kernel does one thing, and does it often. Times of a whole launch are medians of five.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "schema/estimate.h"
#include "schema/json.h"

namespace {

namespace schema = tilelab::schema;

using Cycles = long long;

constexpr int warp = 32;
constexpr int largest_block = 1024;
constexpr unsigned all_lanes = 0xffffffff;
constexpr std::size_t mib = std::size_t{1} << 20U;
constexpr std::size_t gib = std::size_t{1} << 30U;

void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// ---- Kernels ------------------------------------------------------------------------------------

enum class Through { l1, l2, shared };

/// One thread follows a chain of indices. Each load waits for the one before.
template <Through through>
__global__ void chase(const unsigned* next, int hops, Cycles* took, unsigned* end) {
  __shared__ unsigned tile[largest_block];
  for (int i = 0; i < largest_block; ++i) tile[i] = (i + 33) % largest_block;
  unsigned at = 0;
  const Cycles begin = clock64();
  for (int i = 0; i < hops; ++i) {
    if (through == Through::l1) at = __ldca(next + at);
    if (through == Through::l2) at = __ldcg(next + at);
    if (through == Through::shared) at = tile[at];
  }
  *took = clock64() - begin;
  *end = at;
}

/// Each thread waits for a load before it makes the next. No array holds `never`.
__global__ void read_one_by_one(const float* in, float* out, std::size_t n, float never) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += threads) {
    sum += __ldcg(in + i);
    if (sum == never) *out = sum;
  }
}

/// Each thread has `loads` loads of 16 bytes in flight, and goes through the array `rounds` times.
template <int loads>
__global__ void read_wide(const float4* in, float* out, std::size_t n, int rounds, float never) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = first; i + (loads - 1) * threads < n; i += loads * threads) {
      float4 loaded[loads];
#pragma unroll
      for (int k = 0; k < loads; ++k) loaded[k] = __ldcg(in + i + k * threads);
#pragma unroll
      for (int k = 0; k < loads; ++k) {
        sum += loaded[k].x + loaded[k].y + loaded[k].z + loaded[k].w;
      }
    }
  }
  if (sum == never) *out = sum;
}

__global__ void copy_wide(const float4* in, float4* out) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  out[i] = in[i];
}

/// Stores a column with each warp, a word to each of 32 sectors.
__global__ void store_columns(float* out, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[static_cast<std::size_t>(x) * rows + y] = 1;
}

constexpr unsigned sector = 8;    // words
constexpr std::size_t apart = 4;  // accesses of a thread, far from each other

/// Loads a word of every `stride` words, `n` in all.
__global__ void read_apart(const float* in, float* out, std::size_t n, unsigned stride,
                           float never) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  float sum = 0;
  for (std::size_t k = 0; k < apart; ++k) {
    const std::size_t i = first + k * threads;
    if (i < n) sum += __ldcg(in + i * stride);
  }
  if (sum == never) *out = sum;
}

/// Stores a whole sector of every `stride` words, `n` words in all.
__global__ void store_apart(float* out, std::size_t n, unsigned stride) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  for (std::size_t k = 0; k < apart; ++k) {
    const std::size_t i = first + k * threads;
    if (i < n) out[i / sector * stride + i % sector] = 1;
  }
}

__global__ void nothing() {}

/// Each block loads its part of an array twice. @param took  the cycles of the second time, by
/// block
__global__ void read_again(const float* in, std::size_t words, Cycles* took, float* out,
                           float never) {
  const float* const part = in + blockIdx.x * words;
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    const Cycles begin = clock64();
    for (std::size_t i = threadIdx.x; i < words; i += blockDim.x) {
      sum += __ldcg(part + i);
      if (sum == never) *out = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) took[blockIdx.x] = clock64() - begin;
  }
}

enum class Words { scattered, adjacent };

/// Adds to words all over the first `words`, which is at least a warp if lanes add to adjacent
/// ones.
template <Words lanes, typename T>
__global__ void add_to_global(T* counts, unsigned words, int rounds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const unsigned at = lanes == Words::adjacent ? thread + i * warp : thread * 9973U + i * 7919U;
    atomicAdd(counts + at % words, static_cast<T>(1 + i));
  }
}

/// All lanes add to words of their own, in banks of their own.
__global__ void add_to_shared(Cycles* took, unsigned* end, int rounds) {
  __shared__ unsigned sums[largest_block];
  sums[threadIdx.x] = 0;
  __syncthreads();
  const Cycles begin = clock64();
  for (int i = 0; i < rounds; ++i) {
    atomicAdd(&sums[threadIdx.x % warp + i % warp * warp], threadIdx.x + i);
  }
  __syncthreads();
  if (threadIdx.x == 0) *took = clock64() - begin;
  end[threadIdx.x] = sums[threadIdx.x];
}

/// All lanes have different values.
__global__ void match(Cycles* took, unsigned* end, int rounds) {
  unsigned sum = 0;
  __syncthreads();
  const Cycles begin = clock64();
  for (int i = 0; i < rounds; ++i) sum += __match_any_sync(all_lanes, threadIdx.x * 77 + i);
  __syncthreads();
  if (threadIdx.x == 0) *took = clock64() - begin;
  end[threadIdx.x] = sum;
}

constexpr int chains = 8;

/// Shuffles `chains` values, none of which waits for another.
__global__ void shuffle(Cycles* took, unsigned* end, int rounds) {
  unsigned values[chains];
  for (int k = 0; k < chains; ++k) values[k] = threadIdx.x + k;
  __syncthreads();
  const Cycles begin = clock64();
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < chains; ++k) {
      values[k] = __shfl_xor_sync(all_lanes, values[k], 1 + k);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *took = clock64() - begin;
  unsigned sum = 0;
  for (int k = 0; k < chains; ++k) sum += values[k];
  end[threadIdx.x] = sum;
}

__global__ void wait_at_barriers(Cycles* took, int rounds) {
  const Cycles begin = clock64();
  for (int i = 0; i < rounds; ++i) __syncthreads();
  if (threadIdx.x == 0) *took = clock64() - begin;
}

// ---- Measurements -------------------------------------------------------------------------------

template <typename T>
T* allocate(std::size_t bytes) {
  void* made = nullptr;
  must(cudaMalloc(&made, bytes), "cudaMalloc");
  must(cudaMemset(made, 0, bytes), "cudaMemset");
  return static_cast<T*>(made);
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  must(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

/// Seconds that `launch` takes.
template <typename Launch>
double seconds(Launch launch) {
  constexpr int times = 5;
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  launch();
  std::vector<float> taken;
  for (int i = 0; i < times; ++i) {
    must(cudaEventRecord(begin), "cudaEventRecord");
    launch();
    must(cudaEventRecord(end), "cudaEventRecord");
    must(cudaEventSynchronize(end), "a kernel");
    taken.push_back(0);
    must(cudaEventElapsedTime(&taken.back(), begin, end), "cudaEventElapsedTime");
  }
  std::sort(taken.begin(), taken.end());
  return taken[times / 2] / 1e3;
}

template <typename Event>
void write(const Event& event) {
  std::puts(to_json(event).c_str());
}

/// Prints a number with four digits.
void print(const char* name, double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value);
  write(schema::Constant{name, std::strtod(digits, nullptr)});
}

/// A GPU with arrays to work on.
struct Gpu {
  int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  double hertz = attribute(cudaDevAttrClockRate) * 1e3;
  float* large = allocate<float>(4 * gib);
  float* other = allocate<float>(4 * gib);
  Cycles* took = allocate<Cycles>(sizeof(Cycles));
  unsigned* end = allocate<unsigned>(largest_block * sizeof(unsigned));

  /// Cycles that one block counted, the second time.
  template <typename Launch>
  double counted(Launch launch) {
    Cycles cycles = 0;
    for (int i = 0; i < 2; ++i) launch();
    must(cudaMemcpy(&cycles, took, sizeof cycles, cudaMemcpyDeviceToHost), "a kernel");
    return static_cast<double>(cycles);
  }
};

void print_sizes(const Gpu& gpu) {
  write(schema::Capability{attribute(cudaDevAttrComputeCapabilityMajor),
                           attribute(cudaDevAttrComputeCapabilityMinor)});
  print("multiprocessors", gpu.multiprocessors);
  print("gigahertz", gpu.hertz / 1e9);
  const auto exactly = [](const char* name, int value) { write(schema::Limit{name, value}); };
  exactly("registers", attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
  exactly("warps", attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / warp);
  exactly("blocks", attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
  exactly("shared_bytes", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  exactly("shared_reserved", attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  exactly("l2_bytes", attribute(cudaDevAttrL2CacheSize));
}

/// A chain through all lines of this many bytes, in random order.
void make_chain(unsigned* at, std::size_t bytes) {
  constexpr std::size_t line = 128 / sizeof(unsigned);
  const std::size_t lines = bytes / 128;
  std::vector<unsigned> order(lines), next(lines * line);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (std::size_t i = 0; i < lines; ++i) next[order[i] * line] = order[(i + 1) % lines] * line;
  must(cudaMemcpy(at, next.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

void print_cache_latencies(Gpu& gpu) {
  constexpr int hops = 16384;  // all lines of 2 MiB
  auto* chain = reinterpret_cast<unsigned*>(gpu.large);
  make_chain(chain, 16384);
  const double l1 =
      gpu.counted([&] { chase<Through::l1><<<1, 1>>>(chain, hops, gpu.took, gpu.end); });
  const double shared =
      gpu.counted([&] { chase<Through::shared><<<1, 1>>>(chain, hops, gpu.took, gpu.end); });
  make_chain(chain, 2 * mib);
  const double l2 =
      gpu.counted([&] { chase<Through::l2><<<1, 1>>>(chain, hops, gpu.took, gpu.end); });
  must(cudaMemset(gpu.large, 0, 2 * mib), "cudaMemset");
  print("l1_latency", l1 / hops);
  print("shared_latency", shared / hops);
  print("l2_latency", (l2 - l1) / hops);
}

/// A grid of this many threads on each multiprocessor.
struct Grid {
  int blocks;
  int threads;

  Grid(const Gpu& gpu, int per_multiprocessor)
      : blocks(gpu.multiprocessors * std::max(1, per_multiprocessor / largest_block)),
        threads(std::min(per_multiprocessor, largest_block)) {}

  double all() const { return static_cast<double>(blocks) * threads; }
};

void print_dram(const Gpu& gpu) {
  constexpr float never = 12345.678F;
  constexpr double loop = 25;  // cycles: the address, the sum, its comparison and two branches
  constexpr std::size_t words = 64 * mib;
  const auto* wide = reinterpret_cast<const float4*>(gpu.large);

  const Grid few(gpu, warp);
  const double alone = seconds(
      [&] { read_one_by_one<<<few.blocks, few.threads>>>(gpu.large, gpu.other, words, never); });
  const double latency = alone * gpu.hertz * few.all() / words;
  print("dram_latency", latency - loop);

  double most = 0;
  for (const int threads : {512, 1024, 2048}) {
    const Grid grid(gpu, threads);
    const double time = seconds(
        [&] { read_wide<4><<<grid.blocks, grid.threads>>>(wide, gpu.other, words, 1, never); });
    most = std::max(most, gib / time);
  }
  print("dram_read", most);

  // How much longer loads take when there are many, by the load of DRAM.
  const auto latency_of = [&](const Grid& grid, double time) {
    return time * gpu.hertz * grid.all() / words;
  };
  const double without =
      latency_of(few, seconds([&] {
                   read_wide<1><<<few.blocks, few.threads>>>(wide, gpu.other, words, 1, never);
                 }));
  double wait = 0;
  for (const int threads : {512, 1024}) {
    const Grid grid(gpu, threads);
    const double time = seconds(
        [&] { read_wide<1><<<grid.blocks, grid.threads>>>(wide, gpu.other, words, 1, never); });
    const double load = std::min(gib / time / most, 0.95);
    wait += (latency_of(grid, time) - without) * (1 - load) / load / 2;
  }
  print("dram_wait", wait);

  constexpr int block = 512;
  const double copied = seconds([&] {
    copy_wide<<<static_cast<unsigned>(words / block), block>>>(
        wide, reinterpret_cast<float4*>(gpu.other));
  });
  print("dram_copy", 2.0 * gib / copied);
}

/// DRAM opens a region of 256 bytes for whatever is wanted of it.
void print_dram_opening(const Gpu& gpu) {
  constexpr float never = 12345.678F;
  constexpr unsigned pair = 2 * sector, region = 8 * sector;  // words
  constexpr std::size_t count = 16 * mib;                     // of regions
  constexpr unsigned block = 256;
  const auto read = [&](unsigned stride) {
    return seconds([&] {
      read_apart<<<count / block / apart, block>>>(gpu.large, gpu.other, count, stride, never);
    });
  };
  const auto stored = [&](unsigned stride) {
    constexpr std::size_t words = count * sector;
    return seconds(
        [&] { store_apart<<<words / block / apart, block>>>(gpu.large, words, stride); });
  };
  // A region has four pairs of sectors, or eight sectors.
  print("dram_open_read", (read(region) / read(pair) - 1) / 3);
  print("dram_open_write", (stored(region) / stored(sector) - 1) / 7);
}

/// How many bytes the L2 cache holds of what a kernel touches: from there on, the second time takes
/// nearer to what it takes when nothing is held.
void print_l2_reach(const Gpu& gpu) {
  constexpr float never = 12345.678F;
  constexpr int block = 256;
  constexpr std::size_t kib = 1024, step = 16 * kib, least = 64 * kib, most = 1024 * kib;
  auto* const took = reinterpret_cast<Cycles*>(gpu.other);
  std::vector<Cycles> cycles(static_cast<std::size_t>(gpu.multiprocessors));
  // Cycles for each word of a thread, of this many bytes per multiprocessor.
  const auto second_time = [&](std::size_t bytes) {
    // What the cache held before.
    must(cudaMemset(gpu.other, 0, gib), "cudaMemset");
    read_again<<<gpu.multiprocessors, block>>>(gpu.large, bytes / sizeof(float), took, gpu.other,
                                               never);
    must(cudaMemcpy(cycles.data(), took, cycles.size() * sizeof(Cycles), cudaMemcpyDeviceToHost),
         "a kernel");
    const double all = static_cast<double>(std::accumulate(cycles.begin(), cycles.end(), Cycles{}));
    return all / static_cast<double>(bytes);
  };
  const double middle = (second_time(least) + second_time(most)) / 2;
  std::size_t bytes = least;
  while (bytes < most && second_time(bytes) < middle) bytes += step;
  print("l2_reach", static_cast<double>(bytes) * gpu.multiprocessors);
}

void print_l2(const Gpu& gpu) {
  constexpr float never = 12345.678F;
  constexpr int rounds = 32;
  const auto* wide = reinterpret_cast<const float4*>(gpu.large);
  double most = 0;
  for (const int threads : {512, 1024, 2048}) {
    const Grid grid(gpu, threads);
    const double time = seconds(
        [&] { read_wide<4><<<grid.blocks, grid.threads>>>(wide, gpu.other, mib, rounds, never); });
    most = std::max(most, rounds * 16.0 * mib / time);
  }
  print("l2_bytes_per_second", most);

  constexpr int rows = 8192;
  const dim3 block(32, 8), grid(rows / 32, rows / 8);
  const double stored = seconds([&] { store_columns<<<grid, block>>>(gpu.large, rows); });
  print("partial_stores", static_cast<double>(rows) * rows / stored);
}

template <Words lanes, typename T>
double lanes_per_second(const Gpu& gpu, unsigned words) {
  constexpr int block = 256, rounds = 64;
  const int blocks = 4 * gpu.multiprocessors;
  T* const sums = reinterpret_cast<T*>(gpu.other);
  const double time =
      seconds([&] { add_to_global<lanes><<<blocks, block>>>(sums, words, rounds); });
  return static_cast<double>(blocks) * block * rounds / time;
}

void print_atomics(const Gpu& gpu) {
  constexpr unsigned few = 256, many = 1U << 20U;
  constexpr double line = 32;  // words
  print("atomics_same_word", lanes_per_second<Words::scattered, unsigned>(gpu, 1));
  print("atomics_same_word_float", lanes_per_second<Words::scattered, float>(gpu, 1));
  // Requests for one of a few lines.
  print("atomics_line",
        lanes_per_second<Words::adjacent, unsigned>(gpu, few) / line / (few / line));
  print("atomics", lanes_per_second<Words::scattered, unsigned>(gpu, many));  // a line for each
  print("atomics_words", lanes_per_second<Words::adjacent, unsigned>(gpu, many));
}

void print_multiprocessor(Gpu& gpu) {
  constexpr int rounds = 1000;
  constexpr double warps = largest_block / warp;
  const double added =
      gpu.counted([&] { add_to_shared<<<1, largest_block>>>(gpu.took, gpu.end, rounds); });
  print("shared_atomic", added / rounds / warps);
  const double matched =
      gpu.counted([&] { match<<<1, largest_block>>>(gpu.took, gpu.end, rounds); });
  print("match", matched / rounds / warps / warp);  // a warp has 32 different values
  const double shuffled =
      gpu.counted([&] { shuffle<<<1, largest_block>>>(gpu.took, gpu.end, rounds); });
  print("shuffle", shuffled / rounds / warps / chains);

  const auto barrier = [&](int threads) {
    return gpu.counted([&] { wait_at_barriers<<<1, threads>>>(gpu.took, rounds); }) / rounds;
  };
  const double one = barrier(warp);
  const double arrival = (barrier(largest_block) - one) / (warps - 1);
  print("barrier_arrival", arrival);
  print("barrier_latency", one - arrival);

  constexpr int blocks = 1 << 19;
  print("block_launch", seconds([&] { nothing<<<blocks, 128>>>(); }) * gpu.hertz / blocks);
}

}  // namespace

int main() {
  Gpu gpu;
  write(schema::Begin{});
  print_sizes(gpu);
  print_cache_latencies(gpu);
  print_l2_reach(gpu);
  print_dram(gpu);
  print_dram_opening(gpu);
  print_l2(gpu);
  print_atomics(gpu);
  print_multiprocessor(gpu);
  must(cudaDeviceSynchronize(), "a kernel");
}
