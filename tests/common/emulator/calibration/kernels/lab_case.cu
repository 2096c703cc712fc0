// A baseline or solution of a lab, as one case per function of the lab. Compiled once per file,
// with
//   LAB_CASE     the case's name, such as lab_diff_baseline
//   LAB_HEADER   the contract header in quotes
//   LAB_FILE     the file in quotes

#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cases.h"
#include "inputs.h"

#ifdef TILELAB_CHECKED
// A file that declares this function in a namespace does not find the emulator's inline one. So
// that one has to be there for the linker.
[[gnu::used]] static float (*const bare_root)(float) = &__nvvm_rsqrt_approx_ftz_f;
#else
// To nvcc, what a namespace declares is not its builtin. The case's name tells nvcc's modules
// apart.
#define LAB_JOIN_NAMES(a, b) a##b
#define LAB_JOIN(a, b) LAB_JOIN_NAMES(a, b)
#define LAB_BARE_ROOT LAB_JOIN(bare_root_of_, LAB_CASE)
extern "C" __device__ float __nvvm_rsqrt_approx_ftz_f(float x);
extern "C" __device__ float LAB_BARE_ROOT(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
#define __nvvm_rsqrt_approx_ftz_f LAB_BARE_ROOT
#endif

// Several files define the same functions; each has its own namespace.
namespace LAB_CASE {
#include LAB_HEADER
#include LAB_FILE
}  // namespace LAB_CASE

namespace tilelab::calibration {
namespace {

struct Extent {
  int size;              ///< The size that a function gets.
  std::size_t elements;  ///< Elements of each array.
};

template <class P>
struct Argument {
  P value;
  explicit Argument(const Extent& extent) {
    if constexpr (std::is_integral_v<P>) {
      value = extent.size;
    } else if constexpr (std::is_floating_point_v<P>) {
      value = static_cast<P>(0.25);
    } else {
      value = P{};
    }
  }
  P get() const { return value; }
  static constexpr std::size_t input_bytes = 0;
};

template <class T>
struct Argument<const T*> {
  Array<T> array;
  explicit Argument(const Extent& extent)
      : array(generated<T, std::conditional_t<std::is_integral_v<T>, T, float>>(extent.elements)) {}
  const T* get() const { return array; }
  static constexpr std::size_t input_bytes = sizeof(T);
};

template <class T>
struct Argument<T*> {
  Array<T> array;
  explicit Argument(const Extent& extent) : array(std::vector<T>(extent.elements)) {}
  T* get() const { return array; }
  static constexpr std::size_t input_bytes = 0;
};

/// Functions that return their errors take arrays in host memory, and copy them themselves.
template <class R, class... P>
constexpr bool takes_device_arrays(R (*)(P...)) {
  return !std::is_same_v<R, cudaError_t>;
}

/// Returns the bytes of all inputs, or 0 if the device failed.
template <class R, class... P>
std::size_t run(R (*function)(P...), const Sizes& sizes) {
  constexpr bool is_grid = (0 + ... + static_cast<int>(std::is_same_v<P, int>)) == 3;
  constexpr bool has_points =
      (... || (std::is_same_v<P, const float3*> || std::is_same_v<P, const float4*>));
  const int size = is_grid ? sizes.edge : has_points ? sizes.bodies : sizes.row;
  const auto side = static_cast<std::size_t>(size);
  const Extent extent{size, is_grid ? side * side * side : side};
  const std::tuple<Argument<P>...> arguments((static_cast<void>(sizeof(P)), extent)...);
  std::apply([&](const auto&... argument) { function(argument.get()...); }, arguments);
  if (cudaDeviceSynchronize() != cudaSuccess) return 0;
  return extent.elements * (0 + ... + Argument<P>::input_bytes);
}

std::vector<Case> all() {
  std::vector<Case> cases;
#define TILELAB_TEXT(name) #name
#define TILELAB_NAME(name) TILELAB_TEXT(name)
#define TILELAB_ADD_CASE(function, ...)                                                    \
  if (takes_device_arrays(&LAB_CASE::function)) {                                          \
    cases.push_back({TILELAB_NAME(LAB_CASE) "_" #function,                                 \
                     [] { return run(&LAB_CASE::function, {}) > 0; }, "",                  \
                     [](const Sizes& sizes) { return run(&LAB_CASE::function, sizes); }}); \
  }
  TILELAB_LAB_FUNCTIONS(TILELAB_ADD_CASE)
#undef TILELAB_ADD_CASE
#undef TILELAB_NAME
#undef TILELAB_TEXT
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
