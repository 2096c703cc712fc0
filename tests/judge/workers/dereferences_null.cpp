#include "probe.h"

void probe(const int*, int* out, int) {
  int* volatile pointer = nullptr;
  *pointer = *out;
}
