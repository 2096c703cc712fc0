// The host adds the numbers up.
// Test: scan is right for one tile and less
// Says: was written last by host code
// Task: 1

#include <vector>

#include "scan.h"

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
  std::vector<unsigned> numbers(n);
  cudaMemcpy(numbers.data(), in, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; ++i) numbers[i] += numbers[i - 1];
  cudaMemcpy(out, numbers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
}
