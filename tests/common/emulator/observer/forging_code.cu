// Host code of a submission that writes its own memory, or memory that does not belong to it.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "forging_code.h"

namespace {

int total;
int initialized[4] = {1, 2, 3, 4};

struct Own {
  int code;
};

int compare(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

}  // namespace

int use_own_memory(int n) {
  static int calls = 0;
  ++calls;
  int stack[8] = {};
  stack[n % 8] = n;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(n - i);
  auto owned = std::make_unique<int[]>(16);
  owned[3] = 5;
  char* text = static_cast<char*>(std::malloc(64));
  std::snprintf(text, 64, "%d", n);
  text = static_cast<char*>(std::realloc(text, 128));
  std::strcat(text, "0");
  std::qsort(values.data(), values.size(), sizeof(int), compare);
  initialized[1] += values[0];
  total += std::atoi(text) + owned[3] + stack[n % 8] + initialized[1];
  std::free(text);
  int* pinned = nullptr;
  cudaMallocHost(&pinned, 64);
  pinned[2] = 1;
  cudaFreeHost(pinned);
  return total + calls;
}

void store_to(int* target) { *target = 1; }
void copy_to(void* target, std::size_t bytes) {
  const char zeros[64] = {};
  std::memcpy(target, zeros, bytes);
}
void print_to(char* target) { std::sprintf(target, "%d", 12345); }
void sort_at(int* target) { std::qsort(target, 2, sizeof(int), compare); }
void copy_from_device_to(void* target) {
  int* device = nullptr;
  cudaMalloc(&device, 64);
  cudaMemset(device, 0, 64);
  cudaMemcpy(target, device, 16, cudaMemcpyDeviceToHost);
  cudaFree(device);
}
bool allocate_to(void* target) {
  return cudaMalloc(static_cast<void**>(target), 64) == cudaSuccess;
}
void free_foreign(void* target) { std::free(target); }
void throw_own() {
  try {
    throw Own{3};
  } catch (const Own& own) {
    total += own.code;
  }
}
