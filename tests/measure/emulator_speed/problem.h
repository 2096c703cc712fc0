#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

/// What the timed programs share: the same problems, the same inputs, the same clock.
///
///     PROGRAM PROBLEM SECONDS [WORDS...]
///
/// launches the problem's kernel until so much CPU time has passed, or once if that is 0, and
/// prints the CPU seconds of one launch and a checksum of its result. WORDS are the program's own.

constexpr int matmul_n = 256;
constexpr int nearest_n = 4096;
constexpr int reduction_n = 1 << 20;
constexpr int transpose_n = 1024;

using Bytes = std::vector<std::byte>;

struct Problem {
  std::string name;
  Bytes in;
  std::size_t out_bytes;
};

/// Small whole numbers, whose sums and products are exact in any order.
template <class T>
Bytes numbers(int count) {
  Bytes bytes(static_cast<std::size_t>(count) * sizeof(T));
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
    state = state * 1664525u + 1013904223u;
    const T value = static_cast<T>(state >> 24);
    std::memcpy(&bytes[i], &value, sizeof value);
  }
  return bytes;
}

inline Problem make_problem(const std::string& name) {
  if (name == "matmul") {
    constexpr int size = matmul_n * matmul_n;
    return {name, numbers<float>(2 * size), size * sizeof(float)};
  }
  if (name == "nearest") return {name, numbers<float>(3 * nearest_n), nearest_n * sizeof(int)};
  if (name == "reduction") {
    return {name, numbers<int>(reduction_n), reduction_n / 512 * sizeof(int)};
  }
  constexpr int size = transpose_n * transpose_n;
  return {name, numbers<float>(size), size * sizeof(float)};
}

/// CPU time of all threads of the process.
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// CPU seconds of one launch.
template <class Launch>
double time_launch(double limit, Launch launch) {
  if (limit > 0) launch();  // warms up
  const double begin = cpu_seconds();
  for (int launches = 1;; ++launches) {
    launch();
    const double seconds = cpu_seconds() - begin;
    if (seconds >= limit) return seconds / launches;
  }
}

inline void print_result(double seconds, const Bytes& out) {
  std::uint64_t checksum = 0xcbf29ce484222325;
  for (const std::byte byte : out) {
    checksum = (checksum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  }
  std::printf("%.9f %016llx\n", seconds, static_cast<unsigned long long>(checksum));
}
