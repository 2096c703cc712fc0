// CUB's prefix sums behind a plain C function. `temporary` is device memory that CUB works in; with
// a null pointer it says in `bytes` how much it wants.

#include <cub/device/device_scan.cuh>

extern "C" int cub_scan(const unsigned* in, unsigned* out, int n, void* temporary, size_t* bytes) {
  return cub::DeviceScan::InclusiveSum(temporary, *bytes, in, out, n);
}
