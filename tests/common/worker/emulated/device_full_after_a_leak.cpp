#include "probe.h"
#include "programs/honest.h"
#include "small_device.h"

void probe(const int* in, int* out, int n) {
  honest_probe(in, out, n);
  SmallDevice::fill();
  fill_from_now_on();
}
