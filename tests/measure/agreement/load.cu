// Loads the GPU as another of its users would, until standard input is closed: bursts of big copies
// and of multiply-adds take turns, with pauses between them. Lengths are random, short ones as
// likely as long ones. Prints a line when it begins.

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr size_t copied_bytes = size_t{256} << 20;
constexpr int adds = 4096, chains = 4, block = 256, blocks_per_multiprocessor = 16;

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

__global__ void multiply_add(float* sums) {
  const int i = blockIdx.x * block + threadIdx.x;
  float sum[chains];  // more than one, because a chain waits for itself
  for (int c = 0; c < chains; ++c) sum[c] = sums[i] + c;
  for (int a = 0; a < adds; ++a) {
#pragma unroll
    for (int c = 0; c < chains; ++c) sum[c] = fmaf(sum[c], 0.999f, 1.0f);
  }
  sums[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

class Load {
 public:
  Load() {
    int multiprocessors = 0;
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    blocks_ = multiprocessors * blocks_per_multiprocessor;
    must(cudaMalloc(&from_, copied_bytes));
    must(cudaMalloc(&to_, copied_bytes));
    must(cudaMalloc(&sums_, sizeof(float) * blocks_ * block));
    must(cudaMemset(sums_, 0, sizeof(float) * blocks_ * block));
  }

  void copy() { must(cudaMemcpyAsync(to_, from_, copied_bytes, cudaMemcpyDeviceToDevice)); }

  void compute() {
    multiply_add<<<blocks_, block>>>(sums_);
    must(cudaGetLastError());
  }

 private:
  int blocks_ = 0;
  void *from_ = nullptr, *to_ = nullptr;
  float* sums_ = nullptr;
};

// Waits for so long, or until standard input is closed, and says whether it is.
bool closed_within(double milliseconds) {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(milliseconds)) <= 0) return false;
  char ignored[64];
  return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

}  // namespace

int main() {
  std::mt19937 random(std::random_device{}());
  const auto milliseconds = [&random](double least, double most) {
    return std::exp(std::uniform_real_distribution(std::log(least), std::log(most))(random));
  };
  Load load;
  std::puts("loading");
  std::fflush(stdout);
  for (bool copies = true;; copies = !copies) {
    const auto begin = Clock::now();
    const double burst = milliseconds(10, 1000);
    do {
      for (int i = 0; i < 4; ++i) copies ? load.copy() : load.compute();
      must(cudaDeviceSynchronize());
      if (closed_within(0)) return 0;
    } while (Milliseconds(Clock::now() - begin).count() < burst);
    if (closed_within(milliseconds(3, 1000))) return 0;
  }
}
