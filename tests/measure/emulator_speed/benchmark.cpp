// How much slower the emulator is than a serial loop: one table, and the same as JSON.
//
// observer_benchmark [n]

#include <cstdio>
#include <stdexcept>
#include <string>

#include "run_nearest.h"

namespace {

struct Point {
  float x, y, z;
};

[[gnu::noinline]] void nearest_serial(const Point* points, int* result, int n) {
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

double serial_seconds(int n) {
  const std::vector<float> coordinates = random_coordinates(3 * n);
  std::vector<Point> points(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  }
  std::vector<int> result(points.size());
  return seconds([&] { nearest_serial(points.data(), result.data(), n); });
}

double program_seconds(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  double time = 0;
  const bool is_read = std::fscanf(pipe, "%lf", &time) == 1;
  if (pclose(pipe) != 0 || !is_read) throw std::runtime_error(command + " failed");
  return time;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const std::string size = " " + std::to_string(n);
  struct Row {
    const char* name;
    double seconds;
  };
  try {
    const Row rows[] = {
        {"serial", serial_seconds(n)},
        {"fast", program_seconds(FAST_PROGRAM " fast" + size)},
        {"counts", program_seconds(CHECKED_PROGRAM " counts" + size)},
        {"everything", program_seconds(CHECKED_PROGRAM " everything" + size)},
    };
    std::printf("nearest neighbor, n = %d\n", n);
    for (const Row& row : rows) {
      std::printf("%-12s %9.2f ms %6.2f x\n", row.name, row.seconds * 1e3,
                  row.seconds / rows[0].seconds);
    }
    std::printf("{\"n\": %d", n);
    for (const Row& row : rows) std::printf(", \"%s\": %.6f", row.name, row.seconds);
    std::printf("}\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
