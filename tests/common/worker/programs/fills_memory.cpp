#include <cstdlib>

#include "probe.h"

void probe(const int*, int*, int) {
  constexpr std::size_t chunk = 16 << 20, page = 4096;
  // Volatile, so that the compiler cannot see that nobody reads the memory.
  while (auto* memory = static_cast<volatile char*>(std::malloc(chunk))) {
    for (std::size_t i = 0; i < chunk; i += page) memory[i] = 1;
  }
}
