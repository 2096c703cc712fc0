// The host adds the numbers up.
// Test: sum is right for one block and less
// Says: was written last by host code
// Task: 1

#include <vector>

#include "reduction.h"

void sum(const float* in, float* out, float* work, int n) {
  std::vector<float> numbers(n);
  cudaMemcpy(numbers.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
  float total = 0;
  for (const float number : numbers) total += number;
  cudaMemcpy(out, &total, sizeof total, cudaMemcpyHostToDevice);
}
