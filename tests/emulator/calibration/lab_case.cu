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
#include <utility>

#include "cases.h"
#include "inputs.h"

// Several files define the same functions; each has its own namespace.
namespace LAB_CASE {
#include LAB_HEADER
#include LAB_FILE
}  // namespace LAB_CASE

namespace tilelab::calibration {
namespace {

constexpr int row = 5000;    // elements, where a function takes one size
constexpr int bodies = 900;  // where each element meets each other one
constexpr int edge = 48;     // elements per side, where it takes three
constexpr std::size_t elements = edge * edge * edge;
static_assert(elements >= row);

template <class P>
struct Argument {
  P value;
  explicit Argument(int count) {
    if constexpr (std::is_integral_v<P>) {
      value = count;
    } else {
      value = static_cast<P>(0.25);
    }
  }
  P get() const { return value; }
};

template <class T>
struct Argument<const T*> {
  Array<T> array;
  explicit Argument(int)
      : array(generated<T, std::conditional_t<std::is_integral_v<T>, T, float>>(elements)) {}
  const T* get() const { return array; }
};

template <class T>
struct Argument<T*> {
  Array<T> array;
  explicit Argument(int) : array(std::vector<T>(elements)) {}
  T* get() const { return array; }
};

template <class... P>
bool run(void (*function)(P...)) {
  constexpr bool is_grid = (0 + ... + static_cast<int>(std::is_same_v<P, int>)) == 3;
  constexpr bool has_points =
      (... || (std::is_same_v<P, const float3*> || std::is_same_v<P, const float4*>));
  constexpr int count = is_grid ? edge : has_points ? bodies : row;
  const std::tuple<Argument<P>...> arguments((static_cast<void>(sizeof(P)), count)...);
  std::apply([&](const auto&... argument) { function(argument.get()...); }, arguments);
  return cudaDeviceSynchronize() == cudaSuccess;
}

std::vector<Case> all() {
  std::vector<Case> cases;
#define TILELAB_TEXT(name) #name
#define TILELAB_NAME(name) TILELAB_TEXT(name)
#define TILELAB_ADD_CASE(function, ...) \
  cases.push_back({TILELAB_NAME(LAB_CASE) "_" #function, [] { return run(&LAB_CASE::function); }});
  TILELAB_LAB_FUNCTIONS(TILELAB_ADD_CASE)
#undef TILELAB_ADD_CASE
#undef TILELAB_NAME
#undef TILELAB_TEXT
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
