// The loops that one would write without a GPU.

#include <cstdlib>

#include "problem.h"

namespace {

struct Point {
  float x, y, z;
};

[[gnu::noinline]] void matmul(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

[[gnu::noinline]] void nearest(const Point* points, int* result, int n) {
  for (int i = 0; i < n; ++i) {
    float best = 1e30f;
    int index = -1;
    for (int j = 0; j < n; ++j) {
      const float x = points[j].x - points[i].x;
      const float y = points[j].y - points[i].y;
      const float z = points[j].z - points[i].z;
      const float distance = x * x + y * y + z * z;
      if (distance < best && j != i) {
        best = distance;
        index = j;
      }
    }
    result[i] = index;
  }
}

[[gnu::noinline]] void reduction(const int* in, int* sums, int n) {
  for (int begin = 0; begin < n; begin += 512) {
    int sum = 0;
    for (int i = begin; i < begin + 512; ++i) sum += in[i];
    sums[begin / 512] = sum;
  }
}

[[gnu::noinline]] void transpose(const float* in, float* out, int n) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) out[x * n + y] = in[y * n + x];
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Problem problem = make_problem(argv[1]);
  Bytes result(problem.out_bytes);
  const void* in = problem.in.data();
  void* out = result.data();
  const double seconds = time_launch(std::atof(argv[2]), [&] {
    if (problem.name == "matmul") {
      const auto* a = static_cast<const float*>(in);
      matmul(a, a + matmul_n * matmul_n, static_cast<float*>(out), matmul_n);
    } else if (problem.name == "nearest") {
      nearest(static_cast<const Point*>(in), static_cast<int*>(out), nearest_n);
    } else if (problem.name == "reduction") {
      reduction(static_cast<const int*>(in), static_cast<int*>(out), reduction_n);
    } else {
      transpose(static_cast<const float*>(in), static_cast<float*>(out), transpose_n);
    }
  });
  print_result(seconds, result);
}
