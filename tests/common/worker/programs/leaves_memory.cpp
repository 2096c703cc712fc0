#include <cstdlib>

#include "honest.h"
#include "probe.h"

// Three calls take more than a test allows one process.
void probe(const int* in, int* out, int n) {
  constexpr std::size_t bytes = 100 << 20, page = 4096;
  if (auto* memory = static_cast<volatile char*>(std::malloc(bytes))) {
    for (std::size_t i = 0; i < bytes; i += page) memory[i] = 1;
  }
  honest_probe(in, out, n);
}
