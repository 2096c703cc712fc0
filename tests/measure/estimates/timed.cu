// Times a call of one of a lab's functions on this GPU.
//
//     timed N [--twice]
//
// measure.py includes this in a file that includes the lab's header and defines CALL, for instance
// as diff(bits(4 * n), zeros(4 * n), n). Prints milliseconds per call: the median of seven batches,
// the least and the greatest.
//
// Calls rotate over sets of arrays, 256 MiB in all, so that none finds what it needs in the L2
// cache. With --twice, the function is called twice and nothing is timed: for a profiler, which
// should look at the second call.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(3);
}

enum class Contents : std::uint8_t { zeros, fractions, bits };

/// An array in device memory, as a pointer of any type.
struct Array {
  void* address;

  template <typename T>
  operator T*() const {
    return static_cast<T*>(address);
  }
};

/// At most 16 MiB of what an array holds, which are repeated (Marsaglia's xorshift).
std::vector<std::uint32_t> words_of(Contents contents, std::size_t count) {
  std::vector<std::uint32_t> words(std::min(count, std::size_t{1} << 22U));
  if (contents == Contents::zeros) return words;
  std::uint64_t state = 88172645463325252U + static_cast<std::uint64_t>(contents);
  for (std::uint32_t& word : words) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    word = static_cast<std::uint32_t>(state >> 20U);
    if (contents == Contents::fractions) {
      const float fraction = static_cast<float>(word & 0xffffffU) * 0x1p-24F;
      std::memcpy(&word, &fraction, sizeof word);
    }
  }
  return words;
}

/// The arrays of a call. The first time they are made, and from then on each call gets the same, as
/// it asks for them in the same order.
struct Set {
  std::vector<Array> arrays;
  std::size_t next = 0;
  std::size_t bytes = 0;

  Array take(Contents contents, std::size_t wanted) {
    if (next == arrays.size()) arrays.push_back(make(contents, wanted));
    return arrays[next++];
  }

 private:
  Array make(Contents contents, std::size_t wanted) {
    void* made = nullptr;
    must(cudaMalloc(&made, wanted), "cudaMalloc");
    bytes += wanted;
    const std::vector<std::uint32_t> words = words_of(contents, (wanted + 3) / 4);
    const std::size_t some = words.size() * sizeof(words[0]);
    for (std::size_t at = 0; at < wanted; at += some) {
      must(cudaMemcpy(static_cast<char*>(made) + at, words.data(), std::min(some, wanted - at),
                      cudaMemcpyHostToDevice),
           "cudaMemcpy");
    }
    return {made};
  }
};

Set* current = nullptr;

// What a call is written with, as lab.toml does.
[[maybe_unused]] Array fractions(std::size_t bytes) {
  return current->take(Contents::fractions, bytes);
}
[[maybe_unused]] Array bits(std::size_t bytes) { return current->take(Contents::bits, bytes); }
[[maybe_unused]] Array zeros(std::size_t bytes) { return current->take(Contents::zeros, bytes); }

void call(Set& set, long long n) {
  current = &set;
  set.next = 0;
  CALL;
}

/// So many that calls find nothing in the L2 cache. Each has been called once.
std::vector<Set> make_sets(long long n) {
  constexpr std::size_t enough = std::size_t{256} << 20U;  // several times any L2 cache
  constexpr std::size_t most = 1024;
  std::vector<Set> sets(1);
  call(sets[0], n);
  must(cudaGetLastError(), "the launch");
  must(cudaDeviceSynchronize(), "the function");
  sets.resize(std::clamp(enough / std::max(sets[0].bytes, std::size_t{1}), std::size_t{1}, most));
  for (std::size_t i = 1; i < sets.size(); ++i) call(sets[i], n);
  must(cudaDeviceSynchronize(), "the function");
  return sets;
}

/// Keeps the GPU from what the host launches next.
__global__ void wait_nanoseconds(long long nanoseconds) {
  long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// Milliseconds per call of a batch. The GPU begins when the host is well ahead of it: short calls
/// take the host longer.
float time_batch(std::vector<Set>& sets, long long n, int count, cudaEvent_t begin,
                 cudaEvent_t end) {
  constexpr long long nanoseconds_per_call = 10'000;
  wait_nanoseconds<<<1, 1>>>(count * nanoseconds_per_call);
  must(cudaEventRecord(begin), "cudaEventRecord");
  for (int i = 0; i < count; ++i) call(sets[static_cast<std::size_t>(i) % sets.size()], n);
  must(cudaEventRecord(end), "cudaEventRecord");
  must(cudaEventSynchronize(end), "the function");
  float milliseconds = 0;
  must(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  return milliseconds / static_cast<float>(count);
}

/// The batches' times, ascending. A batch takes about four milliseconds.
std::vector<float> time_batches(std::vector<Set>& sets, long long n) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  const float one = time_batch(sets, n, 3, begin, end);
  const bool is_slow = one > 20;
  const int count = is_slow ? 1 : static_cast<int>(std::clamp(4 / one, 3.0F, 600.0F));
  time_batch(sets, n, count, begin, end);
  std::vector<float> times;
  for (int i = 0; i < (is_slow ? 3 : 7); ++i) {
    times.push_back(time_batch(sets, n, count, begin, end));
  }
  must(cudaGetLastError(), "the launch");
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const long long n = argc > 1 ? std::atoll(argv[1]) : 0;
  if (n <= 0) {
    std::fprintf(stderr, "usage: timed N [--twice]\n");
    return 2;
  }
  if (argc > 2 && std::string_view(argv[2]) == "--twice") {
    Set set;
    for (int i = 0; i < 2; ++i) call(set, n);
    must(cudaGetLastError(), "the launch");
    must(cudaDeviceSynchronize(), "the function");
    return 0;
  }
  std::vector<Set> sets = make_sets(n);
  const std::vector<float> times = time_batches(sets, n);
  std::printf("%.7g %.7g %.7g\n", times[times.size() / 2], times.front(), times.back());
}
