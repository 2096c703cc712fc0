#include <cstdlib>
#include <cstring>

#include "probe.h"

void probe(const int*, int*, int) {
  constexpr std::size_t chunk = 16 << 20;
  while (void* memory = std::malloc(chunk)) std::memset(memory, 1, chunk);
}
