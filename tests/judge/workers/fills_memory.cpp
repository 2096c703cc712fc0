#include "probe.h"

#include <cstdlib>
#include <cstring>

void probe(const int*, int*, int) {
  constexpr std::size_t chunk = 16 << 20;
  while (void* memory = std::malloc(chunk)) std::memset(memory, 1, chunk);
}
