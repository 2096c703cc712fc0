// What the programs of this folder have in common: data that are the same on every machine, and a
// time for each launch. They were timed with the 20 launches that a program makes without flags.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

inline void expect(bool holds) {
  if (holds) return;
  std::fprintf(stderr, "wrong result\n");
  std::exit(2);
}

inline bool near(double value, double wanted, double tolerance) {
  return std::fabs(value - wanted) <= tolerance * (1 + std::fabs(wanted));
}

// splitmix64: the data are the same on every machine.
struct Random {
  uint64_t state;
  uint32_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return uint32_t(z >> 32);
  }
  uint32_t below(uint32_t n) { return uint32_t(uint64_t(next()) * n >> 32); }
  float unit() { return (next() >> 8) * 0x1p-24f; }
};

template <class T>
T* allocate(size_t count) {
  T* device = nullptr;
  check(cudaMalloc(&device, count * sizeof(T)));
  check(cudaMemset(device, 0, count * sizeof(T)));
  return device;
}

template <class T>
void copy_in(T* device, const std::vector<T>& host) {
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <class T>
T* upload(const std::vector<T>& host) {
  T* device = allocate<T>(host.size());
  copy_in(device, host);
  return device;
}

template <class T>
std::vector<T> download(const T* device, size_t count) {
  std::vector<T> host(count);
  check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

template <class T>
double checksum(const std::vector<T>& values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); i++) sum += double(values[i]) * double(1 + i % 7);
  return sum;
}

struct Shape {
  dim3 grid, block;
  size_t shared = 0;
};

inline unsigned blocks_for(size_t threads, size_t block) {
  return unsigned((threads + block - 1) / block);
}

#ifndef LAUNCHES
#define LAUNCHES 20
#define WARM_UP 3
#endif
#ifndef WARM_UP
#define WARM_UP 0
#endif

// Three launches to warm up, then the timed ones; `restore` runs before each, outside of the
// timing.
template <class Restore, class Launch>
std::vector<float> measure(Restore restore, Launch launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = -WARM_UP; i < LAUNCHES; i++) {
    restore();
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(begin));
    launch();
    check(cudaEventRecord(end));
    check(cudaGetLastError());
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times;
}

inline void report(const char* name, const char* symbol, const Shape& s,
                   const std::vector<float>& times, double sum) {
  const size_t n = times.size();
  std::printf("%s %s %u %u %u %u %u %u %zu %.6f %.6f %.6f %.9g\n", name, symbol, s.grid.x, s.grid.y,
              s.grid.z, s.block.x, s.block.y, s.block.z, s.shared,
              (times[(n - 1) / 2] + times[n / 2]) / 2, times.front(), times.back(), sum);
}
