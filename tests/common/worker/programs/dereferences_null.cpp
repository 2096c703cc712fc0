#include "probe.h"

void probe(const int*, int*, int n) {
  volatile int* volatile pointer = nullptr;
  *pointer = n;
}
