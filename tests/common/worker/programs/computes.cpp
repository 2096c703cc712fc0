#include <time.h>

#include "honest.h"
#include "probe.h"

namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void probe(const int* in, int* out, int n) {
  const double end = processor_seconds() + 0.3;
  while (processor_seconds() < end) {
  }
  honest_probe(in, out, n);
}
