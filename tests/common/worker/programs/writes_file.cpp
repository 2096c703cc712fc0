#include <cstdio>

#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  if (std::FILE* file = std::fopen("left_behind", "w")) std::fclose(file);
  std::remove("honest");
  honest_probe(in, out, n);
}
