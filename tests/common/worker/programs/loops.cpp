#include "probe.h"

void probe(const int* in, int*, int) {
  const int* volatile pointer = in;
  while (pointer != nullptr) {
  }
}
