// CUB's histogram of bytes behind a plain C function. `temporary` is device memory that CUB works
// in; with a null pointer it says in `bytes` how much it wants.

#include <cub/device/device_histogram.cuh>

extern "C" int cub_histogram(const unsigned char* in, unsigned* counts, int n, void* temporary,
                             size_t* bytes) {
  constexpr int values = 256;
  return cub::DeviceHistogram::HistogramEven(temporary, *bytes, in, counts, values + 1, 0, values,
                                             n);
}
