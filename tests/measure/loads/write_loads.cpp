// Prints docs/results/loads_per_element.md: what each lab's technique saves.
//   ./tilelab measure loads

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cases.h"
#include "emulator/observer/observer.h"
#include "measured.h"
#include "metrics.h"
#include "report/report.h"

using namespace tilelab;
using namespace tilelab::calibration;

namespace {

/// A function of a lab, and the ladder step that is the tile of the course's source.
struct Row {
  const char* lab;
  const char* function;
  const char* tile;
  std::string (*size)(const Sizes&);
};

// With printf, because std::to_string() is in the kernels' bundle as well.
template <class... Values>
std::string text(const char* format, Values... values) {
  char room[64];
  std::snprintf(room, sizeof room, format, values...);
  return room;
}

std::string with_n(int n) {
  return n < 1000 ? text("n = %d", n) : text("n = %d,%03d", n / 1000, n % 1000);
}
std::string size_of_row(const Sizes& sizes) { return with_n(sizes.row); }
std::string size_of_bodies(const Sizes& sizes) { return with_n(sizes.bodies); }
std::string size_of_grid(const Sizes& sizes) {
  return text("%d x %d x %d", sizes.edge, sizes.edge, sizes.edge);
}

const std::vector<Row> rows = {
    {"diff", "diff", "02_tile", size_of_row},
    {"nearest_neighbor", "nearest_neighbor", "02_tile_float3", size_of_bodies},
    {"nbody", "nbody_step", "03_tile", size_of_bodies},
    {"derivatives", "derivative_y", "03_large_pencils", size_of_grid},
    {"derivatives", "derivative_z", "03_large_pencils", size_of_grid},
};

// The first size is that of the memory tests, the last one the grid of the course's source.
constexpr Sizes sizes{100'003, 4096, 64};

const Case& case_of(const Row& row, const char* step) {
  const std::string name = std::string("lab_") + row.lab + "_" + step + "_" + row.function;
  const auto found = std::find_if(cases().begin(), cases().end(),
                                  [&](const Case& each) { return each.name == name; });
  if (found == cases().end()) throw std::runtime_error("there is no case " + name);
  return *found;
}

report::MemoryCounts counts_of_report() {
  report::MemoryCounts counts;
  for (const auto& launch : emulator::take_report().launches) counts += launch.totals;
  if (cudaDeviceReset() != cudaSuccess) throw std::runtime_error("the device cannot be reset");
  return counts;
}

/// Counted as the memory tests do: the bytes that all threads ask for, over the bytes of the input.
double loads_per_element(const Case& each) {
  emulator::start_observing({Detail::counts});
  const std::size_t input_bytes = each.run_at(sizes);
  const report::MemoryCounts counts = counts_of_report();
  if (input_bytes == 0) throw std::runtime_error(each.name + " failed");
  return static_cast<double>(counts.global_loads.bytes_requested) /
         static_cast<double>(input_bytes);
}

report::MemoryCounts counts_as_measured(const Case& each) {
  emulator::start_observing({Detail::counts});
  const bool is_right = each.run();
  const report::MemoryCounts counts = counts_of_report();
  if (!is_right) throw std::runtime_error(each.name + " failed");
  return counts;
}

void print_loads() {
  std::printf(
      "| lab | function | size | baseline | the source's tile | ratio | solution | ratio |\n");
  std::printf("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
  for (const Row& row : rows) {
    const double baseline = loads_per_element(case_of(row, "baseline"));
    std::printf("| `%s` | `%s` | %s | %.3f", row.lab, row.function, row.size(sizes).c_str(),
                baseline);
    for (const char* step : {row.tile, "solution"}) {
      const double loads = loads_per_element(case_of(row, step));
      std::printf(" | %.3f | %.2f : 1", loads, baseline / loads);
    }
    std::printf(" |\n");
  }
}

const Metric& metric(std::string_view name) {
  const auto found = std::find_if(metrics().begin(), metrics().end(),
                                  [&](const Metric& each) { return each.name == name; });
  if (found == metrics().end()) {
    throw std::runtime_error("there is no metric " + std::string(name));
  }
  return *found;
}

void print_requests(const Measured& measured) {
  std::printf("| function | size | kernel | requests, H200 | emulator | sectors, H200 |");
  std::printf(" emulator |\n| --- | --- | --- | ---: | ---: | ---: | ---: |\n");
  for (const Row& row : rows) {
    for (const char* step : {"baseline", "solution"}) {
      const Case& each = case_of(row, step);
      const report::MemoryCounts counts = counts_as_measured(each);
      std::printf("| `%s` | %s | %s |", row.function, row.size({}).c_str(), step);
      for (const char* name : {"global load requests", "global load sectors"}) {
        const Metric& counted = metric(name);
        std::printf(" %llu | %llu |",
                    static_cast<unsigned long long>(counted.measured(measured, each.name)),
                    static_cast<unsigned long long>(counted.emulated(counts)));
      }
      std::printf("\n");
    }
  }
}

constexpr const char* head = R"(# Loads per element

Written by `./tilelab measure loads`; the test `loads_test` checks that it is up to date. The
emulator counted, compiled with g++ 12; nothing here depends on the machine.

## What the labs save

Loads per element, as `./tilelab profile` and the tests of memory call them, are the bytes that all
threads ask global memory for, divided by the bytes of the input. A ratio compares the baseline's
count with the count to its left.

)";

constexpr const char* below_loads = R"(
In `nbody` the input is positions and velocities, and the velocities are loaded only once, so the
baseline's count is about n / 2 and not n. The solutions of `diff` and `derivatives` use no tile:
neighbors come from a neighboring lane (`diff`) or from the registers of one thread
(`derivatives`), which loads more than a tile but needs no barrier.

Each load that is saved is one instruction and one request fewer. How many bytes fewer come from
memory is another matter: a cache answers most of the baselines' loads.

## The same kernels on a GPU

A GPU does not count the bytes that threads ask for, but it counts the requests of warps and the
sectors of 32 bytes that they touch, before any cache. The sizes here are those of the calibration
(`tests/common/emulator/calibration/h200.csv`), so that the emulator's counts can be compared.

)";

constexpr const char* below_requests = R"(
Where the two differ, [the comparison of all counts](calibration_h200.md) says why.
)";

void print_page() {
  std::fputs(head, stdout);
  print_loads();
  std::fputs(below_loads, stdout);
  const Measured measured(MEASURED_FILE);
  for (const std::string& line : measured.provenance()) std::printf("- %s\n", line.c_str());
  std::printf("\n");
  print_requests(measured);
  std::fputs(below_requests, stdout);
}

}  // namespace

int main() {
  try {
    print_page();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
