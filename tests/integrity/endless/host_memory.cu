// Host memory that is taken without end. The process is ended before the machine runs out.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: MiB of memory

#include <cstdlib>
#include <cstring>

#include "diff.h"

void diff(const int* in, int* out, int n) {
  while (char* block = static_cast<char*>(std::malloc(1 << 24))) std::memset(block, 1, 1 << 24);
}
