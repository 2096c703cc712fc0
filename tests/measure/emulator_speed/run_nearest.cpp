// Runs the kernel once per round and prints the shortest time. It is linked with a fast or a
// checked build.

#include "run_nearest.h"

#include <cstdio>
#include <cstring>

#include "nearest.h"

#ifdef CHECKED
#include "emulator/observer/observer.h"
#include "report/report.h"
#endif

int main(int argc, char** argv) {
  const int n = argc > 2 ? std::atoi(argv[2]) : 4096;
  const std::vector<float> coordinates = random_coordinates(3 * n);
  float3* points = nullptr;
  int* result = nullptr;
  const std::size_t bytes = coordinates.size() * sizeof(float);
  if (cudaMalloc(&points, bytes) != cudaSuccess) return 1;
  if (cudaMalloc(&result, static_cast<std::size_t>(n) * sizeof(int)) != cudaSuccess) return 1;
  if (cudaMemcpy(points, coordinates.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
    return 1;
  }
  const double time = seconds([&] {
#ifdef CHECKED
    using namespace tilelab::emulator;
    ObserverOptions options;
    const bool counts = std::strcmp(argv[1], "counts") == 0;
    options.detail = counts ? tilelab::Detail::counts : tilelab::Detail::everything;
    start_observing(options);
    nearest(points, result, n);
    take_report();
#else
    nearest(points, result, n);
#endif
  });
  std::printf("%.9f\n", time);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
