#include "probe.h"
#include "programs/honest.h"
#include "small_device.h"

// What fills the device comes after the call, as if another program did it.
void probe(const int* in, int* out, int n) {
  honest_probe(in, out, n);
  fill_from_now_on();
}
