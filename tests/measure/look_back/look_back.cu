// Steps 7 and 8 of the ladder of `scan`, and step 7 with an acquire and a release instead of its
// fences. One thread of each block writes down how often it looked at another tile, how often it
// loaded a state, and how many cycles it took.
//
//     look_back
//
// prints a line for each step and each number of blocks that the GPU runs at the same time.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <vector>

namespace {

constexpr int n = 1 << 26;
constexpr int block = 256;
constexpr int warp = 32;
constexpr int warps = block / warp;
constexpr int tiles = n / block;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int launches = 5;

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// A thread gets the sum of the values of all threads up to it.
__device__ unsigned scan_of_block(unsigned own) {
  __shared__ unsigned sums[warps];
  const int t = threadIdx.x;
#pragma unroll
  for (int distance = 1; distance < warp; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, own, distance);
    if (t % warp >= distance) own += left;
  }
  if (t % warp == warp - 1) sums[t / warp] = own;
  __syncthreads();
  for (int other = 0; other < t / warp; ++other) own += sums[other];
  return own;
}

constexpr unsigned sum_is_there = 1, total_is_there = 2;

struct Seen {
  unsigned state, number;
};

/// How blocks tell each other numbers: in `work`, which begins with zeros.
struct Fences {
  static constexpr const char* name = "7, with fences";
  unsigned* work;

  __device__ void publish(int tile, unsigned state, unsigned number) const {
    numbers(state)[tile] = number;
    __threadfence();
    states()[tile] = state;
  }
  __device__ unsigned state(int tile) const { return states()[tile]; }
  __device__ Seen seen(int tile, unsigned state) const {
    __threadfence();
    return {state, numbers(state)[tile]};
  }

 private:
  __device__ volatile unsigned* states() const { return work; }
  __device__ unsigned* numbers(unsigned state) const { return work + state * tiles; }
};

struct AcquireRelease {
  static constexpr const char* name = "7, with acquire and release";
  unsigned* work;

  __device__ void publish(int tile, unsigned state, unsigned number) const {
    work[state * tiles + tile] = number;
    state_of(tile).store(state, cuda::memory_order_release);
  }
  __device__ unsigned state(int tile) const {
    return state_of(tile).load(cuda::memory_order_acquire);
  }
  __device__ Seen seen(int tile, unsigned state) const {
    return {state, work[state * tiles + tile]};
  }

 private:
  using State = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  __device__ State state_of(int tile) const { return State(work[tile]); }
};

struct OneWord {
  static constexpr const char* name = "8, one word";
  unsigned* work;

  __device__ void publish(int tile, unsigned state, unsigned number) const {
    words()[tile] = static_cast<unsigned long long>(state) << 32 | number;
  }
  __device__ unsigned long long state(int tile) const { return words()[tile]; }
  __device__ Seen seen(int, unsigned long long word) const {
    return {static_cast<unsigned>(word >> 32), static_cast<unsigned>(word)};
  }

 private:
  __device__ volatile unsigned long long* words() const {
    return reinterpret_cast<unsigned long long*>(work);
  }
};

/// What a block did, an element per tile.
struct Counts {
  unsigned *looks, *loads, *cycles;
};

template <class Board>
__global__ void scan_kernel(const unsigned* in, unsigned* out, Board board, unsigned* next_tile,
                            Counts counts) {
  __shared__ int tile;
  __shared__ unsigned before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(next_tile, 1);
  __syncthreads();
  const int i = tile * block + t;
  const unsigned own = scan_of_block(in[i]);
  if (t == block - 1) {
    board.publish(tile, sum_is_there, own);
    unsigned sum = 0, looks = 0, loads = 0;
    const long long begin = clock64();
    for (int other = tile - 1; other >= 0; --other) {
      ++looks;
      auto state = board.state(other);
      for (++loads; state == 0; ++loads) state = board.state(other);
      const Seen seen = board.seen(other, state);
      sum += seen.number;
      if (seen.state == total_is_there) break;
    }
    const long long end = clock64();
    board.publish(tile, total_is_there, sum + own);
    counts.looks[tile] = looks;
    counts.loads[tile] = loads;
    counts.cycles[tile] = static_cast<unsigned>(end - begin);
    before = sum;
  }
  __syncthreads();
  out[i] = before + own;
}

double total(const unsigned* device) {
  std::vector<unsigned> host(tiles);
  must(cudaMemcpy(host.data(), device, tiles * sizeof(unsigned), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const unsigned one : host) sum += one;
  return sum;
}

unsigned* zeros(std::size_t count) {
  unsigned* made = nullptr;
  must(cudaMalloc(&made, count * sizeof(unsigned)));
  must(cudaMemset(made, 0, count * sizeof(unsigned)));
  return made;
}

template <class Board>
void measure(const unsigned* in, unsigned* out, unsigned* work, Counts counts, int shared_bytes) {
  const auto kernel = scan_kernel<Board>;
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  int on_each = 0;
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, block, shared_bytes));
  int multiprocessors = 0;
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<float> times(launches);
  for (float& time : times) {
    must(cudaMemset(work, 0, (3 * tiles + 1) * sizeof(unsigned)));
    must(cudaEventRecord(begin));
    kernel<<<tiles, block, shared_bytes>>>(in, out, Board{work}, work + 3 * tiles, counts);
    must(cudaEventRecord(end));
    must(cudaDeviceSynchronize());
    must(cudaEventElapsedTime(&time, begin, end));
  }
  std::sort(times.begin(), times.end());
  unsigned last = 1;
  must(cudaMemcpy(&last, out + n - 1, sizeof(last), cudaMemcpyDeviceToHost));
  if (last != static_cast<unsigned>(n)) std::exit(2);
  const double looks = total(counts.looks);
  std::printf("%s;%d;%.3f;%.2f;%.3f;%.0f\n", Board::name, on_each * multiprocessors,
              times[launches / 2], looks / tiles, total(counts.loads) / looks,
              total(counts.cycles) / looks);
}

}  // namespace

int main() {
  const std::vector<unsigned> ones(n, 1);
  unsigned* const in = zeros(n);
  unsigned* const out = zeros(n);
  must(cudaMemcpy(in, ones.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  unsigned* const work = zeros(3 * tiles + 1);
  const Counts counts{zeros(tiles), zeros(tiles), zeros(tiles)};
  // Shared memory that nobody uses keeps other blocks away.
  for (const int kib : {0, 50, 100, 190}) {
    measure<Fences>(in, out, work, counts, kib * 1024);
    measure<AcquireRelease>(in, out, work, counts, kib * 1024);
    measure<OneWord>(in, out, work, counts, kib * 1024);
  }
}
