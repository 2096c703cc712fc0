// Runs one case per process, under NVIDIA's tools or alone: without an argument, prints all cases
// as CSV; with a case's name, runs it and prints the error that CUDA has noticed.

#include <cstdio>
#include <cstring>

#include "cases.h"

int main(int argc, char** argv) {
  using namespace tilelab::detector;
  if (argc == 1) std::puts("case,expected,line_a,line_b,debatable");
  for (const Case& each : cases()) {
    if (argc == 1) {
      std::printf("%s,%s,%d,%d,%d\n", each.name, name_of(each.expected), each.line_a, each.line_b,
                  each.debatable[0] != '\0');
    } else if (std::strcmp(each.name, argv[1]) == 0) {
      each.run();
      std::puts(cudaGetErrorName(cudaGetLastError()));
      cudaDeviceReset();
      return 0;
    }
  }
  return argc == 1 ? 0 : 1;
}
