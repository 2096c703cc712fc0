// Prints the traffic of every kernel that the compilers must agree on.

#include <cstdio>
#include <vector>

#include "count_kernels.h"
#include "diff.h"
#include "emulator/observer/observer.h"
#include "launches.h"
#include "report/report.h"

namespace {

using tilelab::report::AccessCounts;

/// Initialized device memory that is never freed, because the process is short.
template <class T>
T* memory(std::size_t count) {
  void* result = nullptr;
  if (cudaMalloc(&result, count * sizeof(T)) != cudaSuccess) return nullptr;
  return cudaMemset(result, 0, count * sizeof(T)) == cudaSuccess ? static_cast<T*>(result)
                                                                 : nullptr;
}

void print(const char* name, const AccessCounts& counts) {
  if (counts.instructions == 0) return;
  std::printf("  %s %llu %llu %llu %llu %llu %llu\n", name,
              static_cast<unsigned long long>(counts.instructions),
              static_cast<unsigned long long>(counts.thread_accesses),
              static_cast<unsigned long long>(counts.bytes_requested),
              static_cast<unsigned long long>(counts.sectors),
              static_cast<unsigned long long>(counts.wavefronts),
              static_cast<unsigned long long>(counts.ideal_wavefronts));
}

constexpr int n = 3000;

/// Allocated before the observation begins: from then on, the runtime writes results to the
/// submission only.
struct Arrays {
  float* floats = memory<float>(n);
  float* more_floats = memory<float>(n);
  float4* vectors = memory<float4>(n);
  float4* more_vectors = memory<float4>(n);
  int* ints = memory<int>(n);
  int* more_ints = memory<int>(n);
};

void run_all(const Arrays& arrays) {
  const auto& [floats, more_floats, vectors, more_vectors, ints, more_ints] = arrays;
  copy(floats, more_floats, 2, 1, 3, 96);
  copy_float2(reinterpret_cast<float2*>(vectors), reinterpret_cast<float2*>(more_vectors));
  copy_float3(reinterpret_cast<float3*>(vectors), reinterpret_cast<float3*>(more_vectors));
  copy_float4(vectors, more_vectors);
  copy_double2(reinterpret_cast<double2*>(vectors), reinterpret_cast<double2*>(more_vectors));
  broadcast(floats, more_floats);
  add(floats);
  use_table(floats);
  count_atomically(ints, more_ints);
  transpose(floats, more_floats, false);
  transpose(floats, more_floats, true);
  shared_float2(reinterpret_cast<float2*>(vectors), 3);
  shared_float4(vectors, 2);
  diverge(ints, more_ints);
  lane_trips(ints, more_ints);
  empty_rounds(ints, more_ints);
  skip_some(ints, more_ints);
  early_return(ints, more_ints, 70);
  reduce(ints, more_ints, 4);
  shuffle(ints, more_ints);
  run_long(ints, more_ints, 2500);
  use_dynamic(floats);
  copy_structs(vectors, more_vectors);
  copy_plain_structs(vectors, more_vectors);
  call_function(ints, more_ints);
  shifted(floats, more_floats);
  shared_broadcast(floats);
  rounds_apart(ints, more_ints);
  diff(ints, more_ints, n - 1);
  nearest(reinterpret_cast<float3*>(vectors), more_ints, 700);
}

}  // namespace

int main() {
  const Arrays arrays;
  tilelab::emulator::start_observing({});
  run_all(arrays);
  for (const auto& launch : tilelab::emulator::take_report().launches) {
    std::printf("%s, %zu findings, %llu and %llu bytes\n", launch.kernel.c_str(),
                launch.findings.size(),
                static_cast<unsigned long long>(launch.distinct_global_bytes_loaded),
                static_cast<unsigned long long>(launch.distinct_global_bytes_stored));
    print("global loads", launch.totals.global_loads);
    print("global stores", launch.totals.global_stores);
    print("global atomics", launch.totals.global_atomics);
    print("shared loads", launch.totals.shared_loads);
    print("shared stores", launch.totals.shared_stores);
    print("constant loads", launch.totals.constant_loads);
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
