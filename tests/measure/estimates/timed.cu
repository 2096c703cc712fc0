// Times calls of one of a lab's functions on this GPU.
//
//     timed SIZE [FUNCTION] [--twice]
//
// SIZE is a number of elements, or the side of a matrix or grid. Compile with -DLAB_<name>, with
// -DLAB_HEADER='"<name>.h"', and with the file that defines the function. Prints milliseconds per
// call: the median of seven batches, the least and the greatest.
//
// Calls rotate over sets of arrays, 256 MiB in all, so that none finds what it needs in the L2
// cache. With --twice, the function is called twice and nothing is timed: for a profiler, which
// should look at the second call.

#include LAB_HEADER

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace {

void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(3);
}

/// The arrays of one call. What they hold depends on their kind alone.
class Arrays {
 public:
  /// Numbers in [0, 1), all made of floats.
  template <typename T>
  T* fractions(long long n) {
    return filled<T>(n, true, true);
  }

  template <typename T>
  T* bits(long long n) {
    return filled<T>(n, false, true);
  }

  template <typename T>
  T* zeros(long long n, bool counts = true) {
    T* made = allocated<T>(n, counts);
    must(cudaMemset(made, 0, n * sizeof(T)), "cudaMemset");
    return made;
  }

  /// What a call reads and writes. Working space does not count.
  long long bytes = 0;

 private:
  template <typename T>
  T* allocated(long long n, bool counts) {
    T* made = nullptr;
    must(cudaMalloc(&made, n * sizeof(T)), "cudaMalloc");
    if (counts) bytes += n * static_cast<long long>(sizeof(T));
    return made;
  }

  template <typename T>
  T* filled(long long n, bool are_fractions, bool counts) {
    T* made = allocated<T>(n, counts);
    const long long all = n * static_cast<long long>(sizeof(T));
    const std::vector<std::uint32_t> words = random_words((all + 3) / 4, are_fractions);
    const auto some = static_cast<long long>(words.size() * sizeof(words[0]));
    for (long long at = 0; at < all; at += some) {
      must(cudaMemcpy(reinterpret_cast<char*>(made) + at, words.data(), std::min(some, all - at),
                      cudaMemcpyHostToDevice),
           "cudaMemcpy");
    }
    return made;
  }

  /// At most 16 MiB, which are repeated (Marsaglia's xorshift).
  static std::vector<std::uint32_t> random_words(long long count, bool are_fractions) {
    std::vector<std::uint32_t> words(std::min(count, 1LL << 22));
    std::uint64_t state = 88172645463325252U + (are_fractions ? 1 : 2);
    for (std::uint32_t& word : words) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      word = static_cast<std::uint32_t>(state >> 20U);
      if (are_fractions) {
        const float fraction = static_cast<float>(word & 0xffffffU) * 0x1p-24F;
        std::memcpy(&word, &fraction, sizeof word);
      }
    }
    return words;
  }
};

using Call = std::function<void()>;

/// A call of the lab's function with arrays of its own.
Call make_call(Arrays& arrays, int n, std::string_view function) {
  (void)function;
#if defined(LAB_first_kernel)
  auto *x = arrays.fractions<float>(n), *y = arrays.fractions<float>(n);
  return [=, out = arrays.zeros<float>(n)] { saxpy(x, y, out, 2, n); };
#elif defined(LAB_diff)
  auto* in = arrays.bits<int>(n);
  return [=, out = arrays.zeros<int>(n)] { diff(in, out, n); };
#elif defined(LAB_transpose)
  auto* in = arrays.fractions<float>(1LL * n * n);
  return [=, out = arrays.zeros<float>(1LL * n * n)] { transpose(in, out, n, n); };
#elif defined(LAB_reduction)
  auto *in = arrays.fractions<float>(n), *out = arrays.zeros<float>(64, false);
  return [=, work = arrays.zeros<float>(n + 1024LL, false)] { sum(in, out, work, n); };
#elif defined(LAB_histogram)
  auto* in = arrays.bits<unsigned char>(n);
  return [=, counts = arrays.zeros<unsigned>(256, false)] { histogram(in, counts, n); };
#elif defined(LAB_matmul)
  auto* a = arrays.fractions<float>(1LL * n * n);
  auto* b = arrays.fractions<float>(1LL * n * n);
  return [=, c = arrays.zeros<float>(1LL * n * n)] { matmul(a, b, c, n, n, n); };
#elif defined(LAB_nbody)
  auto *position = arrays.fractions<float4>(n), *velocity = arrays.fractions<float4>(n);
  auto *next_position = arrays.zeros<float4>(n), *next_velocity = arrays.zeros<float4>(n);
  return [=] { nbody_step(position, velocity, next_position, next_velocity, 0.01F, 0.1F, n); };
#elif defined(LAB_nearest_neighbor)
  auto* points = arrays.fractions<float3>(n);
  return [=, nearest = arrays.zeros<int>(n)] { nearest_neighbor(points, nearest, n); };
#elif defined(LAB_derivatives)
  auto* f = arrays.fractions<float>(1LL * n * n * n);
  auto* df = arrays.zeros<float>(1LL * n * n * n);
  const auto derivative = function == "derivative_z" ? derivative_z : derivative_y;
  return [=] { derivative(f, df, n, n, n, 0.1F); };
#elif defined(LAB_pipeline)
  Weights weights;
  for (int i = 0; i < taps; ++i) weights.of[i] = 1.0F / static_cast<float>(i + 1);
  int blocks = 0;
  must(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0), "attribute");
  auto* in = arrays.fractions<float>(n + taps - 1LL);
  return [=, out = arrays.zeros<float>(n)] { filter(in, out, weights, n, blocks); };
#else
#error "No calls are known of this lab."
#endif
}

std::vector<Call> make_calls(int n, std::string_view function) {
  constexpr long long enough = 256LL << 20;  // several times any L2 cache
  constexpr long long most = 24;
  Arrays first;
  std::vector<Call> made = {make_call(first, n, function)};
  const long long count = std::clamp(enough / std::max(1LL, first.bytes), 1LL, most);
  for (Arrays next; static_cast<long long>(made.size()) < count;) {
    made.push_back(make_call(next, n, function));
  }
  return made;
}

/// Milliseconds per call of a batch.
float time_batch(const std::vector<Call>& calls, int count, cudaEvent_t begin, cudaEvent_t end) {
  must(cudaEventRecord(begin), "cudaEventRecord");
  for (int i = 0; i < count; ++i) calls[static_cast<std::size_t>(i) % calls.size()]();
  must(cudaEventRecord(end), "cudaEventRecord");
  must(cudaEventSynchronize(end), "the function");
  float milliseconds = 0;
  must(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  return milliseconds / static_cast<float>(count);
}

/// The batches' times, ascending. A batch takes about four milliseconds.
std::vector<float> time_batches(const std::vector<Call>& calls) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  const float one = time_batch(calls, 3, begin, end);
  const bool is_slow = one > 20;
  const int count = is_slow ? 1 : static_cast<int>(std::clamp(4 / one, 3.0F, 600.0F));
  time_batch(calls, count, begin, end);
  std::vector<float> times;
  for (int i = 0; i < (is_slow ? 3 : 7); ++i) times.push_back(time_batch(calls, count, begin, end));
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const bool is_twice = std::find(words.begin(), words.end(), "--twice") != words.end();
  const int size = words.empty() ? 0 : std::atoi(argv[1]);
  if (size <= 0) {
    std::fprintf(stderr, "usage: timed SIZE [FUNCTION] [--twice]\n");
    return 2;
  }
  const std::vector<Call> calls = make_calls(size, words.size() > 1 ? words[1] : "");
  for (int i = 0; i < (is_twice ? 2 : 1); ++i) calls[0]();
  must(cudaGetLastError(), "the launch");
  must(cudaDeviceSynchronize(), "the function");
  if (is_twice) return 0;
  const std::vector<float> times = time_batches(calls);
  must(cudaGetLastError(), "the launch");
  std::printf("%.7g %.7g %.7g\n", times[times.size() / 2], times.front(), times.back());
}
